import { SettingsSection } from '@/components/forms/section'
import { TextareaField } from '@/components/ui/fields'
import { words } from '@/words/en/agent-editor'
import { words as common } from '@/words/en/common'
import type { AgentFormProps } from './agent-draft'

interface InstructionsSectionProps extends AgentFormProps {
  /** All that its model is told, as saved. */
  effectivePrompt: string
}

/** What the agent does, and how it begins. */
export function InstructionsSection({ form, readOnly, effectivePrompt }: InstructionsSectionProps) {
  return (
    <SettingsSection id="instructions" title={common.instructions} description={words.instructionsDescription}>
      <div className="grid gap-5">
        <TextareaField
          label={words.systemPrompt}
          {...form.field('system_prompt')}
          rows={8}
          controlClass="min-h-48!"
          maxLength={100_000}
          readOnly={readOnly}
        />
        <TextareaField
          label={words.initialPrompt}
          {...form.field('initial_prompt')}
          rows={2}
          maxLength={4_000}
          readOnly={readOnly}
          hint={words.initialPromptHint}
        />
        <details className="text-sm">
          <summary className="min-h-6 cursor-pointer rounded-sm text-muted hover:text-foreground">
            {words.everythingItsModelIsTold}
          </summary>
          <pre
            tabIndex={0}
            aria-label={words.everythingItsModelIsToldName}
            className="mt-2 max-h-96 overflow-auto rounded-lg bg-subtle p-3 font-sans text-sm whitespace-pre-wrap wrap-anywhere"
          >
            {effectivePrompt}
          </pre>
        </details>
      </div>
    </SettingsSection>
  )
}
