// What every signed-in page knows about agents, and what it can do with them.
import { createContext } from 'react'
import type { AgentFilters } from '@/api/agents'
import type { Agent, AIAgent, Conversation, LocalAgent } from '@/api/types'

export type AgentWithHireStatus = Agent
export type AgentConversation = Conversation
/** From a list, or whole. */
export type AgentForHire = Omit<AIAgent, 'system_prompt'>
export type { AgentFilters, AIAgent, LocalAgent }

export interface ActivityFilters {
  agent_id?: string
  status?: string
  /** ISO dates. */
  from_date?: string
  to_date?: string
  limit?: number
  offset?: number
}

export type ScheduleExecutionStatus =
  | 'pending_approval'
  | 'approved'
  | 'running'
  | 'completed'
  | 'failed'
  | 'rejected'
  | 'cancelled'

export interface AgentSchedule {
  id: string
  agent_id: string
  name: string
  description: string | null
  cron_expression: string
  timezone: string
  task_prompt: string
  requires_approval: boolean
  output_config: Record<string, unknown>
  is_enabled: boolean
  last_run_at: string | null
  next_run_at: string | null
  created_by: string | null
  created_at: string
  updated_at: string
  agent?: AIAgent
}

export interface AgentScheduleExecution {
  id: string
  schedule_id: string
  agent_id: string
  scheduled_for: string
  started_at: string | null
  completed_at: string | null
  status: ScheduleExecutionStatus
  approved_by: string | null
  approved_at: string | null
  rejection_reason: string | null
  result: Record<string, unknown> | null
  tool_calls: Record<string, unknown>[] | null
  error_message: string | null
  tokens_input: number | null
  tokens_output: number | null
  cost_usd: number | null
  duration_ms: number | null
  created_at: string
  schedule?: AgentSchedule
  agent?: AIAgent
}

export interface AgentsContextType {
  /** All agents, or those that the last `fetchAgents` asked for. */
  agents: AgentWithHireStatus[]
  myAgents: AgentWithHireStatus[]
  /** The one `fetchAgent` asked for last. */
  currentAgent: AIAgent | null
  /** With the agent that `fetchConversations` asked for last. */
  conversations: AgentConversation[]
  currentConversation: AgentConversation | null
  executions: AgentScheduleExecution[]
  pendingApprovals: AgentScheduleExecution[]
  schedules: AgentSchedule[]
  /** Everything that waits for this person's decision: today, tool calls in conversations. */
  pendingCount: number
  workspaceId: string | undefined

  isLoading: boolean
  isLoadingAgent: boolean
  isLoadingActivity: boolean
  isLoadingSchedules: boolean

  /** By the id in the catalog. */
  getAgentById: (id: string) => AgentWithHireStatus | undefined
  /** By the id in the workspace. */
  getLocalAgentById: (id: string) => AgentWithHireStatus | undefined
  getConversationById: (id: string) => AgentConversation | undefined

  fetchAgents: (filters?: AgentFilters) => Promise<void>
  fetchAgent: (id: string) => Promise<AIAgent | null>
  /** Null when it was refused; the person has been told why. */
  hireAgent: (agentId: string) => Promise<LocalAgent | null>
  unhireAgent: (localAgentId: string) => Promise<void>
  refreshAgents: () => Promise<void>

  fetchConversations: (agentId: string) => Promise<void>
  createConversation: (agentId: string, title?: string) => Promise<AgentConversation | null>
  setCurrentConversation: (conversation: AgentConversation | null) => void

  fetchActivity: (filters?: ActivityFilters) => Promise<void>
  fetchPendingApprovals: () => Promise<void>
  approveExecution: (executionId: string) => Promise<void>
  rejectExecution: (executionId: string, reason?: string) => Promise<void>

  fetchSchedules: () => Promise<void>
  toggleSchedule: (scheduleId: string, enabled: boolean) => Promise<void>

  showHireAgent: boolean
  setShowHireAgent: (show: boolean) => void
  selectedAgentForHire: AgentForHire | null
  setSelectedAgentForHire: (agent: AgentForHire | null) => void
}

export const AgentsContext = createContext<AgentsContextType | null>(null)
