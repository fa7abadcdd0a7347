// English: gates.
import { catalog } from '../catalog'

export const words = catalog('gates', {
  // auth/gates
  batonCouldNotBeLoaded: 'Baton could not be loaded',
  noWorkspace: 'No workspace',
  youAreNotInA: 'You are not in a workspace',
  createAWorkspace: 'Create a workspace',
  signOut: 'Sign out',
  createOneOrAsk: 'Create one of your own. Or ask someone who runs one to invite {email}, then open the link in the invitation.',
  askForAnInvitation: 'Ask someone who runs one to invite {email}, then open the link in the invitation.',
})
