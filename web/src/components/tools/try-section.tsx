import { SettingsSection } from '@/components/forms/section'
import type { Schema } from '@/components/forms/schema/schema-fields'
import { words } from '@/words/en/tool-forms'
import { TryTool } from './try-tool'

interface TrySectionProps {
  toolId: string
  name: string
  schema: Schema
  /** What isn't saved can't be tried. */
  isDirty: boolean
  description?: string
}

/** Where a tool is tried on its own page. */
export function TrySection({ toolId, name, schema, isDirty, description = words.tryDescription }: TrySectionProps) {
  return (
    <SettingsSection id="try" title={words.tryIt} description={isDirty ? words.trySavedOnly : description}>
      <TryTool key={JSON.stringify(schema)} toolId={toolId} name={name} schema={schema} />
    </SettingsSection>
  )
}
