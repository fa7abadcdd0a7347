import { SettingsSection } from '@/components/forms/section'
import { TextareaField } from '@/components/ui/fields'
import type { AgentFormProps } from './agent-draft'

interface InstructionsSectionProps extends AgentFormProps {
  /** All that its model is told, as saved. */
  effectivePrompt: string
}

/** What the agent does, and how it begins. */
export function InstructionsSection({ form, readOnly, effectivePrompt }: InstructionsSectionProps) {
  return (
    <SettingsSection id="instructions" title="Instructions" description="What it does, and how it begins.">
      <div className="grid gap-5">
        <TextareaField
          label="System prompt"
          {...form.field('system_prompt')}
          rows={8}
          controlClass="min-h-48!"
          maxLength={100_000}
          readOnly={readOnly}
        />
        <TextareaField
          label="Initial prompt"
          {...form.field('initial_prompt')}
          rows={2}
          maxLength={4_000}
          readOnly={readOnly}
          hint="Optional. The first words it says in a new conversation."
        />
        <details className="text-sm">
          <summary className="min-h-6 cursor-pointer rounded-sm text-muted hover:text-foreground">
            Everything its model is told, with rules and skills
          </summary>
          <pre
            tabIndex={0}
            aria-label="Everything its model is told"
            className="mt-2 max-h-96 overflow-auto rounded-lg bg-subtle p-3 font-sans text-sm whitespace-pre-wrap wrap-anywhere"
          >
            {effectivePrompt}
          </pre>
        </details>
      </div>
    </SettingsSection>
  )
}
