// English: hooks.
import { catalog } from '../catalog'

export const words = catalog('hooks', {
  // hooks/use-browser
  titleBaton: '{title} · Baton',
  // hooks/use-conversation-history
  theConversationIsExported: 'The conversation is exported.',
  // providers/use-hiring
  nameIsHired: '{name} is hired.',
  agentNameNoLongerWorksIn: '{agentName} no longer works in {name}.',
})
