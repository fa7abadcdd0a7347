import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { Agent, Tool } from '@/api/types'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { SettingsSection } from '@/components/forms/section'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { SelectField } from '@/components/ui/fields'
import { TextLink } from '@/components/ui/text-link'
import { changeAgent } from '@/hooks/use-agent-detail'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/tools'
import { say } from '@/words/say'
import { agentsWith } from './known-tools'

interface ToolUsersProps {
  tool: Tool
  agents: readonly Agent[]
}

/** The agents that have a tool, and the way to give it to another. */
export function ToolUsers({ tool, agents }: ToolUsersProps) {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState('')
  const users = agentsWith(agents, { ids: [tool.name] })
  const others = agents.filter(
    (agent) => agent.canChange && !users.includes(agent) && !(tool.type === 'handoff' && agent.localAgentId === tool.config.target_agent_id),
  )
  const give = useMutation({
    mutationFn: ({ localAgentId, tools }: Agent) =>
      changeAgent(workspace.id, localAgentId ?? '', { tools: [...tools, tool.name] }),
    onSuccess: async ({ name }) => {
      setChosen('')
      await queryClient.invalidateQueries({ queryKey: keys.agents(workspace.id) })
      notify(say(tool.type === 'handoff' ? words.nameCanNowHandOff : words.nameCanNowUse, { name, tool: tool.name }))
    },
  })
  return (
    <SettingsSection title={words.usedBy} description={tool.type === 'mcp_server' ? words.usedByDescriptionOfServer : words.usedByDescription}>
      {users.length === 0 ? (
        <p className="text-sm text-muted">{words.noAgentHasItYet}</p>
      ) : (
        <ul className="grid gap-2">
          {users.map((agent) => (
            <li key={agent.id} className="flex items-center gap-3 text-sm">
              <AgentAvatar agent={agent} size="sm" />
              <TextLink to={`/agents/${agent.localAgentId ?? ''}/settings`}><span dir="auto">{agent.name}</span></TextLink>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <div className="mt-5 flex flex-wrap items-end gap-2">
          <SelectField label={words.giveItToAnAgent} value={chosen} className="grow basis-52" onChange={setChosen}>
            <option value="">{words.chooseAnAgent}</option>
            {others.map((agent) => (
              <option key={agent.id} dir="auto" value={agent.localAgentId ?? ''}>
                {agent.name}
              </option>
            ))}
          </SelectField>
          <Button
            variant="secondary"
            disabled={chosen === ''}
            pending={give.isPending}
            onClick={() => {
              const agent = others.find(({ localAgentId }) => localAgentId === chosen)
              if (agent) give.mutate(agent)
            }}
          >
            {words.giveIt}
          </Button>
        </div>
      )}
      {give.isError && (
        <div className="mt-3">
          <Alert>{messageOf(give.error)}</Alert>
        </div>
      )}
    </SettingsSection>
  )
}
