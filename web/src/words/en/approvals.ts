// English: approvals.
import { catalog } from '../catalog'

export const words = catalog('approvals', {
  // pages/pending-approvals
  pendingApprovalsDescription: 'Agents wait for your decision before they use these tools',
  loadingApprovals: 'Loading approvals',
  countDecisions: { one: '{count} decision', other: '{count} decisions' },
  theApprovalsCouldNotBe: 'The approvals could not be loaded',
  nothingIsWaitingForYou: 'Nothing is waiting for you',
  whenAnAgentWantsTo: 'When an agent wants to use a tool that changes something, it asks here and in its conversation.',
  // approvals/approval-card
  agentNameWantsToUseToolName: '{agentName} wants to use {toolName}',
  agent: 'Agent',
  anAgentThatIsGone: 'An agent that is gone',
  approvedTheAgentGoesOn: 'Approved. The agent goes on.',
  rejectedTheAgentHasBeen: 'Rejected. The agent has been told.',
  // approvals/arguments-editor
  arguments: 'Arguments',
  approveWithChanges: 'Approve with changes',
  back: 'Back',
  thisIsNotValidJSON: 'This is not valid JSON: {problem}.',
  argumentsAreAnObjectName: 'Arguments are an object: {"name": "value"}.',
  askedAndExpires: 'Asked {asked}, expires {expires}',
  openConversation: 'Open conversation<hidden> with {agentName}</hidden>',
  agentNameWantsToUse: '{agentName} <muted>wants to use</muted> {toolName}',
})
