import { useState } from 'react'
import { useLocation } from 'wouter'
import type { LocalAgent } from '@/api/types'
import { UnhireDialog } from '@/components/agents/unhire-dialog'
import { SettingsSection } from '@/components/forms/settings-section'
import { Button } from '@/components/ui/button'
import { useWorkspace } from '@/hooks/use-workspace'

/** Letting an agent go. */
export function DangerSection({ agent }: { agent: LocalAgent }) {
  const workspace = useWorkspace()
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
        className="max-w-full"
        onClick={(event) => {
          setOpener(event.currentTarget)
        }}
      >
        <span className="truncate">Unhire {agent.name}</span>
      </Button>
      {opener && (
        <UnhireDialog
          agent={{ ...agent, localAgentId: agent.id }}
          opener={opener}
          onClose={() => {
            setOpener(null)
          }}
          onConfirmed={() => {
            navigate('/agents/hired')
          }}
        />
      )}
    </SettingsSection>
  )
}
