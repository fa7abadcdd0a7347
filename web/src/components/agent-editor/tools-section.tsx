import { SettingsSection } from '@/components/forms/settings-section'
import { useKnownTools } from '@/components/tools/use-known-tools'
import { Skeleton } from '@/components/ui/skeleton'
import { TextLink } from '@/components/ui/text-link'
import type { AgentFormProps } from './agent-draft'
import { ToolPicker } from './tool-picker'

interface ToolsSectionProps extends AgentFormProps {
  /** The agent itself: a handoff to it is nothing it can have. Nothing for a new one. */
  agentId?: string
}

/** What the agent can do besides talking. */
export function ToolsSection({ draft, change, problemWith, readOnly, agentId }: ToolsSectionProps) {
  const known = useKnownTools()
  return (
    <SettingsSection
      id="tools"
      title="Tools"
      description={
        <>
          What it can do besides talking. Every agent can tell the time. <TextLink to="/agents/tools">All tools</TextLink>
        </>
      }
    >
      {known.isPending ? (
        <div className="grid gap-3 sm:grid-cols-2">
          {[1, 2, 3, 4].map((index) => (
            <Skeleton key={index} className="h-12" />
          ))}
        </div>
      ) : (
        <ToolPicker
          name="tools"
          label="Tools"
          options={known.tools.filter(({ targetId }) => targetId === undefined || targetId !== agentId)}
          value={draft.tools}
          readOnly={readOnly}
          problem={problemWith('tools')}
          onChange={(tools) => {
            change({ tools })
          }}
        />
      )}
    </SettingsSection>
  )
}
