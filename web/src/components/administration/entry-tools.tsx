import { useState } from 'react'
import { useKnownTools } from '@/hooks/use-known-tools'
import type { AgentFormProps } from '../agent-form/agent-draft'
import { SettingsSection } from '../agent-form/settings-section'
import { ToolPicker } from '../agent-form/tool-picker'
import { broughtTools } from '../tools/known-tools'

/** What Baton brings along, and the handoffs that a pack named: others that people define belong to one workspace. */
export function EntryTools({ draft, change, problemWith }: AgentFormProps) {
  const { tools } = useKnownTools()
  // Also after they are unticked, so that they can be ticked again.
  const [listed] = useState(draft.tools)
  return (
    <SettingsSection title="Tools" description="What it can do besides talking, wherever it is hired.">
      <ToolPicker
        name="tools"
        label="Tools"
        options={[...tools.filter(({ kind }) => kind === 'built-in'), ...broughtTools(listed, tools)]}
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
