import { useMemo } from 'react'
import { SelectField } from '@/components/ui/select-field'

interface TimeZoneFieldProps {
  value: string
  hint?: string
  disabled?: boolean
  problem?: string
  onChange: (value: string) => void
}

export function TimeZoneField({ value, ...props }: TimeZoneFieldProps) {
  const zones = useMemo(() => [...new Set(['UTC', value, ...Intl.supportedValuesOf('timeZone')])].sort(), [value])
  return (
    <SelectField label="Time zone" name="time_zone" value={value} {...props}>
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll('_', ' ')}
        </option>
      ))}
    </SelectField>
  )
}
