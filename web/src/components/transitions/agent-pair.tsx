import { ArrowRight } from 'lucide-react'

interface AgentPairProps {
  from: string | null
  to: string | null
}

/** From one agent to another. */
export function AgentPair({ from, to }: AgentPairProps) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 font-medium">
      <Name name={from} missing="An agent that is gone" />
      <ArrowRight aria-label="to" role="img" className="size-3.5 shrink-0 text-brand" />
      <Name name={to} missing="No such agent" />
    </span>
  )
}

function Name({ name, missing }: { name: string | null; missing: string }) {
  return name === null ? <span className="text-muted italic">{missing}</span> : <span className="wrap-anywhere">{name}</span>
}
