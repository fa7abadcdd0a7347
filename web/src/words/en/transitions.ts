// English: transitions.
import { catalog } from '../catalog'

export const words = catalog('transitions', {
  // pages/transitions
  handoffs: 'Handoffs',
  handoffsDescription: 'How often agents hand off, how it goes, and what it saves',
  theHandoffsCouldNotBe: 'The handoffs could not be loaded',
  byPair: 'By pair',
  recentAttempts: 'Recent attempts',
  noHandoffsInTheLast: 'No handoffs in the last {days} days',
  seeTeams: 'See teams',
  agentsOfATeamHand: 'Agents of a team hand off a conversation when another agent knows better. Each attempt is counted here.',
  loadingHandoffs: 'Loading handoffs',
  // transitions/attempts-table
  recentHandoffs: 'Recent handoffs',
  fromAndTo: 'From and to',
  outcome: 'Outcome',
  why: 'Why',
  tokensSaved: 'Tokens saved',
  time: 'Time',
  when: 'When',
  // transitions/pairs-table
  handoffsByPairOfAgents: 'Handoffs by pair of agents',
  attempts: 'Attempts',
  successRate: 'Success rate',
  averageTime: 'Average time',
  anAgentThatIsGone: 'An agent that is gone',
  to: 'to',
  noSuchAgent: 'No such agent',
  sentOf: '{sent} sent of {full}',
  // transitions/totals
  countCompleted: '{count} completed',
  sentInsteadOf: '{sent} sent instead of {full}',
  period: 'Period',
  lastDays: 'Last {days} days',
  days: '{days} days',
  ofAllAttempts: 'of all attempts',
  fromTheDecision: 'from the decision to the handoff',
})
