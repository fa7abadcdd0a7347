import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { unhireAgent } from '@/api/agents'
import { keys } from '@/api/query-client'
import type { LocalAgent } from '@/api/types'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/notices'
import { Button } from '../ui/button'
import { ConfirmDialog } from '../confirm-dialog'
import { SettingsSection } from './settings-section'

/** Letting an agent go. */
export function DangerSection({ agent }: { agent: LocalAgent }) {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  return (
    <SettingsSection
      id="danger"
      title="Let it go"
      description={`It leaves ${workspace.name} for everyone. Hiring it again brings it back as it was.`}
    >
      <Button
        variant="danger"
        onClick={(event) => {
          setOpener(event.currentTarget)
        }}
      >
        Unhire {agent.name}
      </Button>
      {opener && (
        <ConfirmDialog
          title={`Unhire ${agent.name}?`}
          description={`It leaves ${workspace.name} for everyone. Hiring it again brings it back as it was.`}
          action="Unhire"
          opener={opener}
          onClose={() => {
            setOpener(null)
          }}
          onConfirm={async () => {
            await unhireAgent(workspace.id, agent.id)
            navigate('/agents/hired')
            notify(`${agent.name} no longer works in ${workspace.name}.`)
            await Promise.all([
              queryClient.invalidateQueries({ queryKey: keys.agents(workspace.id) }),
              queryClient.invalidateQueries({ queryKey: keys.agentStats(workspace.id) }),
            ])
          }}
        />
      )}
    </SettingsSection>
  )
}
