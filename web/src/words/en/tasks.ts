// English: tasks.
import { catalog } from '../catalog'

export const words = catalog('tasks', {
  // pages/task
  task: 'Task',
  theTaskCouldNotBe: 'The task could not be loaded',
  thereIsNoSuchTask: 'There is no such task',
  whoWorkedOnIt: 'Who worked on it',
  timeline: 'Timeline',
  loadingTask: 'Loading task',
  // tasks/facts
  somethingWentWrong: 'Something went wrong.',
  // tasks/handoff-chain
  chainOfAgents: 'Chain of agents',
  ofItTheRouter: 'Of it, the router: {usage}',
  whatWasAsked: 'What was asked',
  anAgentThatIsGone: 'An agent that is gone',
  nextStageStage: 'Next stage: {stage}',
  // tasks/step-panel
  closeDetails: 'Close details',
  copyStepAsJSON: 'Copy step as JSON',
  itHadNotEndedWhen: 'This step had not ended when its task did.',
  theServerStoppedWhileIt: 'The server stopped during this step, so the step was tried again.',
  itMayHaveUsed: 'It may have used {usage}, which is an estimate.',
  tokensAndCost: 'Tokens and cost',
  // tasks/task-header
  cacheReadTokensFromCache: '{cacheReadTokens} from cache',
  reasoningTokensReasoning: '{reasoningTokens} reasoning',
  waitedOfItWaitingFor: '{waited} of it waiting for approval',
  goingOn: 'Going on',
  retriesTriedAgain: '{retries} tried again',
  failedToolsFailed: '{failedTools} failed',
  inputTokensInOutputTokensOut: '{inputTokens} in, {outputTokens} out',
  copyTaskId: 'Copy task id',
  whatWentWrong: 'What went wrong',
  // tasks/task-status
  statuses: {
    pending: 'Waiting to start',
    running: 'Running',
    waiting: 'Waiting for approval',
    completed: 'Completed',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  // tasks/timeline
  labelCut: '{label}, cut',
  labelCutAndTriedAgain: '{label}, cut and tried again',
  stageBegins: 'Stage begins',
  message: 'Message',
  modelCall: 'Model call',
  approval: 'Approval',
  router: 'Router',
  toName: 'To {name}',
  stageCompleted: 'Stage completed: {stage}',
  error: 'Error',
  end: 'End',
  // tasks/waterfall
  failedNote: '(failed)',
  atStart: 'at {start}',
  itWasDeleted: 'It was deleted with its conversation, or it belongs to someone else. <link>Dashboard</link>',
  agentAfterTheBeginning: '{agent}, {after} after the beginning',
  agentAfterTheBeginningAt: '{agent}, {after} after the beginning, at {time}',
  tokensInAndOut: '{input} tokens in, {output} out',
  tokensAndMoney: '{input} in · {output} out · {cost}',
  costUnknown: 'cost unknown',
  toAnAgent: 'To an agent',
  goingOnLower: 'going on',
})
