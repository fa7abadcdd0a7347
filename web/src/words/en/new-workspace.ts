// English: new-workspace.
import { catalog } from '../catalog'

export const words = catalog('new-workspace', {
  // settings/new-workspace-dialog
  nameIsReady: '{name} is ready.',
  createAWorkspace: 'Create a workspace',
  createAWorkspaceDescription: 'It has agents, people and settings of its own. It begins with the default agents, and you as its owner.',
  createWorkspace: 'Create workspace',
})
