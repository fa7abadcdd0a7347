import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useContext, useMemo, useState } from 'react'
import { type AgentFilters, fetchAgent as readAgent } from '@/api/agents'
import { keys } from '@/api/query-client'
import { useWorkspaceAgents, workspaceAgentsQuery } from '@/hooks/use-agent-lists'
import { usePendingApprovals } from '@/hooks/use-approvals'
import { useWorkspace } from '@/hooks/use-workspace'
import { type AgentForHire, AgentsContext, type AgentsContextType, type AIAgent } from './agents-context'
import { useConversations } from './use-conversations'
import { useHiring } from './use-hiring'

export type * from './agents-context'

/** What the server knows is read from the query cache: this adds names, and what is chosen on screen. */
export function AgentsProvider({ children }: { children: ReactNode }) {
  const workspace = useWorkspace()
  // Nothing that was chosen in one workspace means anything in another.
  return <WorkspaceAgents key={workspace.id}>{children}</WorkspaceAgents>
}

/** For everything inside <AgentsProvider>. */
export function useAgents(): AgentsContextType {
  const context = useContext(AgentsContext)
  if (context === null) throw new Error('useAgents is only for what is inside <AgentsProvider>')
  return context
}

function WorkspaceAgents({ children }: { children: ReactNode }) {
  const workspace = useWorkspace()
  const workspaceId = workspace.id
  const list = useList(workspaceId)
  const one = useCurrentAgent(workspaceId)
  const talks = useConversations(workspaceId)
  const { hire, unhire } = useHiring(workspace)
  const approvals = usePendingApprovals()
  const dialog = useHireDialog()

  const pendingCount = approvals.data?.length ?? 0
  const { refetch: refetchApprovals } = approvals
  const { agents, fetchAgents, isLoading } = list
  const { conversations = NOTHING, current, setCurrent, fetchConversations, createConversation } = talks
  const { agent, fetchAgent, isLoadingAgent } = one

  const value = useMemo<AgentsContextType>(
    () => ({
      agents,
      myAgents: agents.filter(({ isHired }) => isHired),
      currentAgent: agent,
      conversations,
      currentConversation: current,
      ...NO_ACTIVITY,
      pendingCount,
      workspaceId,
      isLoading,
      isLoadingAgent,
      getAgentById: (id) => agents.find((candidate) => candidate.id === id),
      getLocalAgentById: (id) => agents.find(({ localAgentId }) => localAgentId === id),
      getConversationById: (id) => conversations.find((candidate) => candidate.id === id),
      fetchAgents,
      fetchAgent,
      hireAgent: hire,
      unhireAgent: (id) => unhire(id, agents.find(({ localAgentId }) => localAgentId === id)?.name),
      refreshAgents: () => fetchAgents(),
      fetchConversations,
      createConversation,
      setCurrentConversation: setCurrent,
      fetchPendingApprovals: async () => {
        await refetchApprovals()
      },
      ...dialog,
    }),
    [agents, agent, conversations, current, pendingCount, workspaceId, isLoading, isLoadingAgent, fetchAgents, fetchAgent,
      hire, unhire, fetchConversations, createConversation, setCurrent, refetchApprovals, dialog],
  )
  return <AgentsContext value={value}>{children}</AgentsContext>
}

const NOTHING: never[] = []

/** Schedules and what they ran are empty until there are schedules. */
const NO_ACTIVITY = {
  executions: NOTHING,
  pendingApprovals: NOTHING,
  schedules: NOTHING,
  isLoadingActivity: false,
  isLoadingSchedules: false,
  fetchActivity: () => Promise.resolve(),
  approveExecution: () => Promise.resolve(),
  rejectExecution: () => Promise.resolve(),
  fetchSchedules: () => Promise.resolve(),
  toggleSchedule: () => Promise.resolve(),
}

function useList(workspaceId: string) {
  const queryClient = useQueryClient()
  const [filters, setFilters] = useState<AgentFilters>({})
  const { data, isPending } = useWorkspaceAgents(filters)
  const fetchAgents = useCallback(
    async (next: AgentFilters = {}) => {
      setFilters(next)
      await queryClient.query({ ...workspaceAgentsQuery(workspaceId, next), staleTime: 0 }).catch(() => undefined)
    },
    [queryClient, workspaceId],
  )
  return { agents: data?.agents ?? NOTHING, isLoading: isPending, fetchAgents }
}

function useCurrentAgent(workspaceId: string) {
  const queryClient = useQueryClient()
  const [id, setId] = useState<string>()
  const { data, isLoading } = useQuery({ ...agentQuery(workspaceId, id ?? ''), enabled: id !== undefined })
  const fetchAgent = useCallback(
    async (next: string): Promise<AIAgent | null> => {
      setId(next)
      const detail = await queryClient.query({ ...agentQuery(workspaceId, next), staleTime: 0 }).catch(() => null)
      return detail?.agent ?? null
    },
    [queryClient, workspaceId],
  )
  return { agent: data?.agent ?? null, isLoadingAgent: isLoading, fetchAgent }
}

function agentQuery(workspaceId: string, id: string) {
  return {
    queryKey: keys.agent(workspaceId, id),
    queryFn: ({ signal }: { signal: AbortSignal }) => readAgent(workspaceId, id, signal),
  }
}

function useHireDialog() {
  const [showHireAgent, setShowHireAgent] = useState(false)
  const [selectedAgentForHire, setSelectedAgentForHire] = useState<AgentForHire | null>(null)
  return useMemo(
    () => ({ showHireAgent, setShowHireAgent, selectedAgentForHire, setSelectedAgentForHire }),
    [showHireAgent, selectedAgentForHire],
  )
}
