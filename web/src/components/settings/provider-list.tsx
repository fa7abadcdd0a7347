import type { Models } from '@/api/types'
import { Badge } from '@/components/ui/badge'

const NAMES: Record<string, string> = { anthropic: 'Anthropic', openai: 'OpenAI', demo: 'Demo' }

export function ProviderList({ providers }: { providers: Models['providers'] }) {
  return (
    <ul className="divide-y divide-border">
      {providers.map(({ provider, hasKey, baseUrl }) => (
        <li key={provider} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3 text-sm first:pt-0 last:pb-0">
          <div className="min-w-0 grow">
            <p className="font-medium">{NAMES[provider] ?? provider}</p>
            {baseUrl !== null && <p className="font-mono text-xs text-muted wrap-anywhere">{baseUrl}</p>}
          </div>
          <Badge tone={hasKey ? 'brand' : 'neutral'}>{hasKey ? 'Key set' : 'Without a key'}</Badge>
        </li>
      ))}
    </ul>
  )
}
