import { SelectField } from '@/components/ui/fields'
import { words } from '@/words/en/tool-forms'

export type TrustedAs = keyof typeof words.trustedAs

interface TrustFieldProps {
  value: TrustedAs
  readOnly: boolean
  problem: string | undefined
  onChange: (value: TrustedAs) => void
}

/** What an admin vouches for. */
export function TrustField({ value, readOnly, problem, onChange }: TrustFieldProps) {
  return (
    <SelectField label={words.whatItsCallsDo} name="config.trusted_as" value={value} disabled={readOnly} problem={problem} hint={words.trustedAsHint[value]} onChange={onChange}>
      {(Object.keys(words.trustedAs) as TrustedAs[]).map((level) => (
        <option key={level} value={level}>
          {words.trustedAs[level]}
        </option>
      ))}
    </SelectField>
  )
}
