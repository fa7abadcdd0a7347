import { SelectField } from '@/components/ui/select-field'
import { useHiredAgents } from '@/hooks/use-hired-agents'

interface DefaultAgentFieldProps {
  value: string
  disabled?: boolean
  problem?: string
  onChange: (value: string) => void
}

/** Who answers unless someone else is chosen. */
export function DefaultAgentField({ value, ...props }: DefaultAgentFieldProps) {
  const { data: agents = [], isPending } = useHiredAgents()
  const isKnown = value === '' || agents.some(({ localAgentId }) => localAgentId === value)
  return (
    <SelectField
      label="Default agent"
      name="default_agent_id"
      value={value}
      hint="It answers unless another is chosen. Visitors reach it too, unless it is premium only."
      {...props}
    >
      <option value="">None</option>
      {!isKnown && <option value={value}>{isPending ? 'Loading…' : 'An agent that is gone'}</option>}
      {agents.map(({ localAgentId, name }) => (
        <option key={localAgentId} value={localAgentId ?? ''}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}
