import type { Agent, Approval } from '@/api/types'
import { toolWords } from '@/lib/tool-words'
import { useAgents } from '@/providers/agents-provider'

interface ApprovalNames {
  /** Undefined if it is gone, or not loaded yet. */
  agent: Agent | undefined
  agentName: string
  toolName: string
  conversationPath: string
}

/** Who asks and for what, by the names people know. */
export function useApprovalNames(approval: Approval): ApprovalNames {
  const { getLocalAgentById, isLoading } = useAgents()
  const agent = getLocalAgentById(approval.agent_id)
  const tool = agent?.toolDetails.find(({ toolName }) => toolName === approval.tool_name)
  return {
    agent,
    agentName: agent?.name ?? (isLoading ? 'Agent' : 'An agent that is gone'),
    toolName: toolWords(tool?.name ?? approval.tool_name),
    conversationPath: `/agents/${approval.agent_id}?conversation=${approval.conversation_id}`,
  }
}
