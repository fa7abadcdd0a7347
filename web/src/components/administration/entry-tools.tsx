import { useKnownTools } from '@/hooks/use-known-tools'
import type { AgentFormProps } from '../agent-form/agent-draft'
import { SettingsSection } from '../agent-form/settings-section'
import { ToolPicker } from '../agent-form/tool-picker'

/** Only what Baton brings along: tools that people defined belong to one workspace. */
export function EntryTools({ draft, change, problemWith }: AgentFormProps) {
  const { tools } = useKnownTools()
  return (
    <SettingsSection title="Tools" description="What it can do besides talking, wherever it is hired.">
      <ToolPicker
        name="tools"
        label="Tools"
        options={tools.filter(({ kind }) => kind === 'built-in')}
        value={draft.tools}
        readOnly={false}
        problem={problemWith('tools')}
        onChange={(chosen) => {
          change({ tools: chosen })
        }}
      />
    </SettingsSection>
  )
}
