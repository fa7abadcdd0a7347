// English: forms.
import { catalog } from '../catalog'

export const words = catalog('forms', {
  // forms/checks
  enterAnAddressSuchAs: 'Enter an address such as name@example.com.',
  // forms/inline-editor
  save: 'Save',
  // forms/reorder
  moveLabelUp: 'Move {label} up',
  moveLabelDown: 'Move {label} down',
  removeLabel: 'Remove {label}',
  altWithTheArrowKeys: 'Alt with the arrow keys reorders.',
  // forms/row-menu
  moreAboutName: 'More about {name}',
  edit: 'Edit',
  // forms/save-bar
  unsavedChanges: 'Unsaved changes',
  discard: 'Discard',
  leaveWithoutSaving: 'Leave without saving?',
  leaveWithoutSavingDescription: 'What you changed on this page is not saved.',
  stayHere: 'Stay here',
  leave: 'Leave',
  // forms/secret
  copy: 'Copy',
  // forms/use-form
  labelIsMissing: '{label} is missing.',
  useAtLeastMinLengthCharacters: 'Use at least {minLength} characters.',
  // forms/section
  loading: {
    agent: 'Loading agent',
    agents: 'Loading agents',
    areas: 'Loading who may see what',
    audit: 'Loading audit',
    catalog: 'Loading catalog',
    invitations: 'Loading invitations',
    members: 'Loading members',
    memories: 'Loading memories',
    models: 'Loading models',
    profiles: 'Loading profiles',
    providers: 'Loading providers',
    publicChat: 'Loading public chat',
    rules: 'Loading rules',
    search: 'Loading web search',
    skills: 'Loading skills',
    team: 'Loading team',
    tokens: 'Loading tokens',
    tool: 'Loading tool',
    tools: 'Loading tools',
    permissions: 'Loading permissions',
    versions: 'Loading versions',
    workspace: 'Loading workspace',
  },
  failed: {
    agent: 'The agent could not be loaded',
    agents: 'The agents could not be loaded',
    areas: 'Who may see what could not be loaded',
    audit: 'The audit could not be loaded',
    catalog: 'The catalog could not be loaded',
    invitations: 'The invitations could not be loaded',
    members: 'The members could not be loaded',
    memories: 'The memories could not be loaded',
    models: 'The models could not be loaded',
    profiles: 'The profiles could not be loaded',
    providers: 'The providers could not be loaded',
    publicChat: 'The public chat could not be loaded',
    rules: 'The rules could not be loaded',
    search: 'Web search could not be loaded',
    skills: 'The skills could not be loaded',
    team: 'The team could not be loaded',
    tokens: 'The tokens could not be loaded',
    tool: 'The tool could not be loaded',
    tools: 'The tools could not be loaded',
    permissions: 'The permissions could not be loaded',
    versions: 'The versions could not be loaded',
    workspace: 'The workspace could not be loaded',
  },
})
