// English: public.
import { catalog } from '../catalog'

export const words = catalog('public', {
  // public/public-bar
  openWorkspace: 'Open workspace',
  nobodyIsHereToTalk: 'Nobody is here to talk to',
  theAgentsOfThisWorkspace: 'The agents of this workspace are for people who are signed in.',
  thisWorkspaceHasNoAgent: 'This workspace has no agent for you at the moment. Please come back later.',
  // public/public-choices
  whoYouCanTalkTo: 'Who you can talk to',
  team: '(team)',
  // public/public-problem
  thisChatHasBeenClosed: 'This chat has been closed',
  thereIsNoChatAt: 'There is no chat at this address',
  tooManyVisitorsAtThe: 'Too many visitors at the moment',
  theChatCouldNotBe: 'The chat could not be loaded',
  whatYouHaveWrittenIs: 'What you have written is kept in this browser, in case it opens again.',
  itMayHaveBeenClosed: 'It may have been closed, or the link has a typo. Ask whoever gave it to you.',
  ifYouWorkHere: 'If you work here, <link>go to Baton</link>.',
})
