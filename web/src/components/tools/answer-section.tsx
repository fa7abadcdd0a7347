import type { ReactNode } from 'react'
import { SettingsSection } from '@/components/forms/section'
import type { Bound } from '@/components/forms/use-form'
import { TextField } from '@/components/ui/fields'
import { words } from '@/words/en/tool-forms'
import { TrustField, type TrustedAs } from './trust-field'

export interface AnswerDraft {
  pick: string
  trustedAs: TrustedAs
}

export function answerProblems({ pick }: AnswerDraft): Record<string, string> {
  return pick.trim() !== '' && !pick.trim().startsWith('/') ? { 'config.pick': words.beginWithASlash } : {}
}

interface AnswerSectionProps {
  pick: Bound<string>
  trustedAs: Bound<TrustedAs>
  readOnly: boolean
  children?: ReactNode
}

/** What the model is given of an answer, and what an admin says of the calls. */
export function AnswerSection({ pick, trustedAs, readOnly, children }: AnswerSectionProps) {
  return (
    <SettingsSection title={words.answer} description={words.answerDescription}>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <TextField
          label={words.pick}
          {...pick}
          readOnly={readOnly}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={500}
          placeholder={words.pickPlaceholder}
          hint={words.pickHint}
          controlClass="font-mono"
        />
        {children}
        <TrustField {...trustedAs} readOnly={readOnly} />
      </div>
    </SettingsSection>
  )
}
