import type { TeamKind } from '@/api/types'

interface KindWords {
  label: string
  explanation: string
  /** What its members are called. */
  members: string
  membersNote: string
}

export const TEAM_KINDS: Record<TeamKind, KindWords> = {
  swarm: {
    label: 'Swarm',
    explanation: 'The agents decide among themselves: whoever holds the conversation hands it on when a colleague fits better.',
    members: 'Members',
    membersNote: 'The default member answers first.',
  },
  router: {
    label: 'Router',
    explanation: 'Someone at the door: with each message a router decides which specialist answers.',
    members: 'Members',
    membersNote: 'The default member takes what is nobody’s subject. Of two that fit, the higher priority wins.',
  },
  pipeline: {
    label: 'Pipeline',
    explanation: 'A line of stages: each agent finishes its part, and the next one goes on with the result by itself.',
    members: 'Stages',
    membersNote: 'They run from top to bottom. Each hands its result to the next one.',
  },
}
