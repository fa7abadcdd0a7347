import { SelectField } from '@/components/ui/fields'
import { words } from '@/words/en/tool-forms'

export type TrustedAs = keyof typeof words.trustedAs

interface TrustFieldProps {
  name: string
  value: TrustedAs
  readOnly: boolean
  problem: string | undefined
  onChange: (value: TrustedAs) => void
}

/** What an admin vouches for. */
export function TrustField({ readOnly, ...field }: TrustFieldProps) {
  return (
    <SelectField label={words.whatItsCallsDo} {...field} disabled={readOnly} hint={words.trustedAsHint[field.value]}>
      {(Object.keys(words.trustedAs) as TrustedAs[]).map((level) => (
        <option key={level} value={level}>
          {words.trustedAs[level]}
        </option>
      ))}
    </SelectField>
  )
}
