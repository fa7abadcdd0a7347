import type { ReactNode } from 'react'
import type { AIAgent } from '@/api/types'
import { modelMeaning, modelPrices } from '@/api/words'
import { useModels } from '@/hooks/use-models'
import { sentenceCase } from '@/lib/text'
import { AgentTools } from './agent-tools'

/** What a person wants to know before they hire an agent. */
export function HireFacts({ agent }: { agent: AIAgent }) {
  const { data: models } = useModels()
  const alias = models?.aliases.find((one) => one.alias === agent.model)
  return (
    <div className="grid gap-3 rounded-lg border border-border p-4 text-sm">
      <div>
        <p className="font-medium">This agent can help with:</p>
        <p className="mt-1 line-clamp-3 whitespace-pre-line text-muted wrap-anywhere">
          {agent.system_prompt || sentenceCase(agent.role ?? 'questions of all kinds')}
        </p>
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2">
        {agent.department !== null && <Fact label="Department">{agent.department.name}</Fact>}
        <Fact label="Tools">
          {agent.toolDetails.length === 0 ? 'None: it only talks' : <AgentTools tools={agent.toolDetails} most={8} />}
        </Fact>
        <Fact label="Model">
          {agent.model}
          {alias && ` (${modelMeaning(alias)})`}
        </Fact>
        {alias && (
          <Fact label="Cost">
            {modelPrices(alias)}
            {(alias.inputPrice ?? 0) > 0 && ' for a million tokens'}
          </Fact>
        )}
      </dl>
      {agent.system_prompt !== '' && (
        <details>
          <summary className="min-h-6 cursor-pointer rounded-sm text-muted hover:text-foreground">All instructions</summary>
          <p
            role="region"
            aria-label="All instructions"
            tabIndex={0}
            className="mt-1 max-h-48 overflow-y-auto rounded-sm whitespace-pre-line text-muted wrap-anywhere"
          >
            {agent.system_prompt}
          </p>
        </details>
      )}
    </div>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}
