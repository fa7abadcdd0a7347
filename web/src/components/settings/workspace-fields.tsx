import { useMemo } from 'react'
import { SelectField } from '@/components/ui/fields'
import { useHiredAgents } from '@/hooks/use-agent-lists'
import { useTiers } from '@/hooks/use-tiers'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/settings'

interface DefaultAgentFieldProps {
  value: string
  disabled?: boolean
  problem?: string
  onChange: (value: string) => void
}

/** Who answers unless someone else is chosen. */
export function DefaultAgentField({ value, ...props }: DefaultAgentFieldProps) {
  const { data: agents = [], isPending } = useHiredAgents()
  const hasTiers = useTiers()
  const isKnown = value === '' || agents.some(({ localAgentId }) => localAgentId === value)
  return (
    <SelectField
      label={common.defaultAgent}
      name="default_agent_id"
      value={value}
      hint={hasTiers ? words.defaultAgentHintWithTiers : words.defaultAgentHint}
      {...props}
    >
      <option value="">{common.none}</option>
      {!isKnown && <option value={value}>{isPending ? words.loading : words.anAgentThatIsGone}</option>}
      {agents.map(({ localAgentId, name }) => (
        <option key={localAgentId} value={localAgentId ?? ''}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

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
    <SelectField label={words.timeZone} name="time_zone" value={value} {...props}>
      {zones.map((zone) => (
        <option key={zone} value={zone}>
          {zone.replaceAll('_', ' ')}
        </option>
      ))}
    </SelectField>
  )
}

/** What is typed as a sum of dollars: null for nothing, undefined for what is no sum. */
export function dollars(text: string): number | null | undefined {
  const trimmed = text.trim().replace(/^\$\s*/, '')
  if (trimmed === '') return null
  const sum = Number(trimmed)
  return Number.isFinite(sum) && sum >= 0 ? sum : undefined
}

/** What is wrong with a sum, if something is. */
export const sumProblem = (text: string) => dollars(text) === undefined && words.enterASumInDollars
