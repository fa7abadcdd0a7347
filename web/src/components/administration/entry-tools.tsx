import { useState } from 'react'
import type { AgentFormProps } from '@/components/agent-editor/agent-draft'
import { ToolPicker } from '@/components/agent-editor/tool-picker'
import { SettingsSection } from '@/components/forms/settings-section'
import { broughtTools } from '@/components/tools/known-tools'
import { useKnownTools } from '@/components/tools/use-known-tools'

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
