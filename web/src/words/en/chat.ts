// English: chat.
import { catalog } from '../catalog'

export const words = catalog('chat', {
  // chat/forking
  nothingAsked: 'Nobody asked before this message, so there is nothing to answer anew.',
  // chat/switch-marks
  goesOn: '{fromName} isn’t available any more. {toName} goes on',
  backWith: 'The next agent failed. Back with {toName}',
  switchedTo: 'Switched to {toName}',
  keepsTheConversation: '{toName} keeps the conversation',
  autoChooses: 'Auto: who answers is chosen for each message',
  // pages/agent-chat
  agentNotLoaded: 'The agent could not be loaded',
  agentSettings: 'Agent settings',
  // pages/team-chat
  teamNotLoaded: 'The team could not be loaded',
  teamNotFound: 'Team not found',
  noSuchTeam: 'There is no such team',
  allTeams: 'All teams',
  teamMayBeDeleted: 'It may have been deleted.',
  editTeam: 'Edit team',
  // chat/agent-selector
  chooseWhoAnswers: ', choose who answers',
  chosen: 'chosen',
  pinnedAfterName: 'pinned',
  talkTo: 'Talk to',
  routerChooses: 'The router chooses who answers each message.',
  // chat/approval-step
  decided: {
    approved: 'Approved',
    rejected: 'Rejected',
    expired: 'Not decided in time',
    cancelled: 'No longer needed',
  },
  decidedBy: {
    approved: 'Approved by {by}',
    rejected: 'Rejected by {by}',
  },
  reason: 'Reason: {reason}',
  // chat/attachments
  filesToSend: 'Files to send',
  removeFile: 'Remove {name}',
  uploading: 'Uploading {name}',
  dropFiles: 'Drop files to attach them',
  // chat/chat-agent
  signInNeeded: 'Please sign in to access this agent.',
  refusals: {
    premium: 'This agent requires a premium subscription.',
  },
  // chat/chat-foot
  waitingForTheNetwork: 'Not sent yet: waiting for the network',
  waitingToBeSent: 'Waiting to be sent',
  notSent: 'Not sent',
  sentWhenAnswered: 'Sent when the answer is finished',
  files: { one: '{count} file', other: '{count} files' },
  sendAgain: 'Send again',
  offeredSwitch: 'Offered switch',
  didNotTakeOver: '{name} was named, but the conversation was not handed off.',
  switchTo: 'Switch to {name}',
  // chat/chat-header
  agent: 'Agent',
  chatWith: 'Chat with {name}',
  newConversation: 'New conversation',
  history: 'History',
  waitingForYourApproval: 'Waiting for your approval',
  answering: 'Answering…',
  notAvailable: 'Not available any more',
  auto: 'Auto',
  pinned: 'Pinned',
  // chat/chat-states
  emptyHeading: 'What should we meet about?',
  starters: 'Starters',
  loadingConversation: 'Loading conversation',
  conversationNotLoaded: 'The conversation could not be loaded',
  conversationGone: 'This conversation is not there any more',
  conversationGoneHint: 'It was deleted, or belongs to someone else.',
  couldNotBeLoaded: 'Could not be loaded',
  offlineBanner: 'You are offline. What you write is kept.',
  reconnecting: 'Reconnecting…',
  // chat/chat-status
  finishedMessages: 'Finished messages',
  offline: 'You are offline.',
  needsYourApproval: '{name} needs your approval.',
  isStillWorking: '{name} is still working.',
  isAnswering: '{name} is answering.',
  hasSwitchedTo: 'Switched to {name}.',
  wasStopped: '{name} was stopped.',
  couldNotFinish: '{name} could not finish the answer.',
  hasAnswered: '{name} has answered.',
  // chat/chat
  writingRejects: 'Writing on instead of deciding rejects what {name} asks for.',
  isNotAvailable: '{name} isn’t available any more.',
  nextMessageGoesTo: 'Your next message goes to {name}.',
  nobodyAnswers: 'Nobody answers until you choose another agent.',
  readOnly: 'Another agent asked this. It can be read here, and nobody writes in it.',
  // chat/composer
  messageTo: 'Message {name}',
  messageRoutedPlaceholder: 'Message {name}. The router chooses who answers.',
  messagePlaceholder: 'Message {name}…',
  attachFiles: 'Attach files',
  searchTheWeb: 'Search the web',
  stop: 'Stop',
  sendWhenAnswered: 'Send when the answer is finished',
  send: 'Send',
  // chat/follow-scroll
  // chat/handoff-marker
  routedTo: 'Routed to {toName}',
  stageNumber: '{number} of {of}',
  stageBegins: '{completed} complete, starting {name}',
  noContextPassed: 'No context passed',
  contextPassed: 'Context passed',
  // chat/load-on-demand
  partNotLoaded: 'This part of the page could not be loaded. Reload the page.',
  // chat/message-length
  tooLong: 'Too long to be sent',
  tooManyCharacters: { one: '{count} character too many: a message can have {longest}.', other: '{count} characters too many: a message can have {longest}.' },
  longText: 'Long text',
  thatIsALongText: 'That is a long text: {length} characters.',
  attachAsAFile: 'Attach as a file',
  pasteAsText: 'Paste as text',
  // chat/message-list
  loadingOlderMessages: 'Loading older messages',
  jumpToLatest: 'Jump to latest',
  // chat/message-parts
  thinking: 'Thinking…',
  thoughts: 'Thoughts',
  // chat/message
  imported: 'Imported, not said here',
  said: '{name} said',
  copyMessage: 'Copy message',
  regenerate: 'Regenerate',
  youSaid: 'You said',
  editMessage: 'Edit message',
  stopped: 'Stopped',
  answerNotFinished: 'The answer could not be finished.',
  attachments: 'Attachments',
  // chat/tool-call
  toolStates: {
    pending: 'Waiting',
    running: 'Running',
    completed: 'Done',
    error: 'Failed',
    interrupted: 'Stopped',
  },
  notRun: 'Not run',
  arguments: 'Arguments',
  result: 'Result',
  whatWentOnThere: 'What went on there',
  howFar: 'How far {name} is',
  itDidNotWork: 'It did not work.',
  // chat/turn-end
  continue: 'Continue',
  // chat/usage-button
  usageAndCost: 'Usage and cost',
  // chat/use-attachments
  tooManyFiles: 'A message takes up to {most} files.',
  notUploaded: 'Not uploaded. Attach it again.',
  fileTooLarge: 'Larger than 5 MB.',
  fileIsEmpty: 'It is empty.',
  fileNotTaken: 'Only images (PNG, JPEG, GIF, WebP) and text.',
  // chat/use-composer
  someFilesNotUploaded: 'Some files could not be uploaded. Remove them to send the rest.',
  // chat/version-pager
  versions: 'Versions',
  previousVersion: 'Previous version',
  version: 'Version',
  nextVersion: 'Next version',
})
