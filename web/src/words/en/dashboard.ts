// English: dashboard.
import { catalog } from '../catalog'

export const words = catalog('dashboard', {
  // pages/dashboard
  agents: 'Agents',
  agentsDescription: 'Your AI agents and their activity',
  discoverAgents: 'Discover Agents',
  // dashboard/my-agents-section
  theAgentsCouldNotBe: 'The agents could not be loaded',
  myAgents: 'My agents',
  discoverMore: 'Discover More',
  loadingAgents: 'Loading agents',
  // dashboard/pending-section
  loadingPendingApprovals: 'Loading pending approvals',
  theApprovalsCouldNotBe: 'The approvals could not be loaded',
  nothingWaitsForYourDecision: 'Nothing waits for your decision.',
  // dashboard/stat-cards
  inNumbers: 'In numbers',
  hiredAgents: 'Hired Agents',
  completedTasks: 'Completed Tasks',
  activeSchedules: 'Active Schedules',
  needsYourAttention: 'needs your attention',
  // dashboard/usage-chart
  nothingWasChargedInThese: 'Nothing was charged in these days.',
  nothingWasUsedInThese: 'Nothing was used in these days.',
  input: 'Input',
  output: 'Output',
  // dashboard/usage-section
  tokensAndCost: 'Tokens and cost',
  loadingTokensAndCost: 'Loading tokens and cost',
  tokensAndCostCouldNot: 'Tokens and cost could not be loaded',
  noAgentHasUsedA: 'No agent has used a model in these days.',
  tokensInCountCallsOf: { one: 'tokens in {count} call of a model', other: 'tokens in {count} calls of a model' },
  costUsdInAll: '{costUsd} in all',
  withoutCountCallsWhosePrice: { one: 'without {count} call whose price isn’t known', other: 'without {count} calls whose price isn’t known' },
  whatTheChartShows: 'What the chart shows',
  tokens: 'Tokens',
  tokensAndCostByDay: 'Tokens and cost by day',
  day: 'Day',
  inputTokens: 'Input tokens',
  outputTokens: 'Output tokens',
  calls: 'Calls',
  yourOwnLastDays: 'Your own, last {days} days',
  theWorkspacesLastDays: 'The workspace’s, last {days} days',
  costUnknown: 'cost unknown: the models have no price',
})
