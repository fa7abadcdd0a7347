// English: layout.
import { catalog } from '../catalog'

export const words = catalog('layout', {
  // pages/not-found
  notFound: 'Not found',
  nothingAtThisAddress: 'There is nothing at this address',
  goToTheDashboard: 'Go to the dashboard',
  mayHaveBeenMoved: 'It may have been moved or deleted, or the link has a typo.',
  // layout/app-layout
  skipToContent: 'Skip to content',
  demo: 'Demo',
  demoBanner: 'This server holds sample data for trying Baton out.',
  offlineBanner: 'You are offline. Baton shows what it had; it goes on when the network is back.',
  // layout/brand
  baton: 'Baton',
  loading: 'Loading',
  // layout/navigation-entries
  dashboard: 'Dashboard',
  discover: 'Discover',
  teams: 'Teams',
  handoffs: 'Handoffs',
  activity: 'Activity',
  administration: 'Administration',
  // layout/navigation
  main: 'Main',
  pending: 'pending',
  // layout/own-conversations
  conversations: 'Conversations',
  conversationsNotLoaded: 'Could not be loaded. Load again',
  untitledConversation: 'Untitled conversation',
  waitingForYourApproval: 'Waiting for your approval',
  answering: 'Answering',
  // layout/page
  loadingPage: 'Loading page',
  // layout/person-menu
  account: 'Account:',
  keyboardShortcuts: 'Keyboard shortcuts',
  signOut: 'Sign out',
  theme: 'Theme',
  themes: {
    light: 'Light',
    dark: 'Dark',
    system: 'System',
  },
  // layout/sidebar
  openMenu: 'Open menu',
  menu: 'Menu',
  // layout/workspace-switcher
  currentWorkspace: 'Workspace: {name}',
  workspaces: 'Workspaces',
  createAWorkspace: 'Create a workspace…',
})
