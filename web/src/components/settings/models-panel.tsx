import type { Models } from '@/api/types'
import { modelPrices } from '@/components/agents/model-options'
import { SectionQuery, SettingsSection } from '@/components/forms/section'
import { Badge } from '@/components/ui/badge'
import { Notice } from '@/components/ui/notice'
import { useModels } from '@/hooks/use-server'

/** What agents think with on this server. */
export function ModelsPanel() {
  const query = useModels()
  return (
    <SectionQuery query={query} what="models">
      {({ demo, providers, aliases }) => (
        <>
          <SettingsSection
            title="Providers"
            description="Where models are asked, the preferred one first. They are set up on the server, for all workspaces."
          >
            {demo ? (
              <Notice>
                <p className="font-medium">Only the demo model answers.</p>
                <p>
                  No provider is set up, so everything you see is made by a built-in model without a network. It calls
                  tools and hands off as they would, but it knows nothing by itself. It costs nothing.
                </p>
              </Notice>
            ) : (
              <ProviderList providers={providers} />
            )}
          </SettingsSection>
          <SettingsSection
            title="Names"
            description="What an agent’s model stands for here, and what a million tokens of it cost."
          >
            <AliasList aliases={aliases} />
          </SettingsSection>
          <AddModelKey />
        </>
      )}
    </SectionQuery>
  )
}

/** What names stand for, and what that costs. */
function AliasList({ aliases }: { aliases: Models['aliases'] }) {
  return (
    <ul className="divide-y divide-border">
      {aliases.map((one) => (
        <li
          key={one.alias}
          className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 py-2.5 text-sm first:pt-0 last:pb-0 sm:grid-cols-[10rem_minmax(0,1fr)_auto]"
        >
          <span className="font-medium wrap-anywhere">{one.alias}</span>
          <span className="col-start-1 row-start-2 min-w-0 font-mono text-xs text-muted wrap-anywhere sm:col-start-2 sm:row-start-1">
            {one.model ?? <Badge tone="dashed">No model for it here</Badge>}
          </span>
          <span className="text-right text-muted tabular-nums sm:col-start-3">{modelPrices(one)}</span>
        </li>
      ))}
    </ul>
  )
}

const NAMES: Record<string, string> = { anthropic: 'Anthropic', openai: 'OpenAI', demo: 'Demo' }

function ProviderList({ providers }: { providers: Models['providers'] }) {
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

const PROVIDERS = [
  {
    name: 'Anthropic',
    settings: [
      ['ANTHROPIC_API_KEY', 'The key'],
      ['ANTHROPIC_BASE_URL', 'Another address, without /v1'],
      ['BATON_ANTHROPIC_MODEL', 'The model that names mean there'],
    ],
  },
  {
    name: 'OpenAI and lookalikes',
    settings: [
      ['OPENAI_API_KEY', 'The key'],
      ['OPENAI_BASE_URL', 'Another address, with /v1'],
      ['BATON_OPENAI_MODEL', 'The model that names mean there'],
    ],
  },
]

/** How a provider is set up, for whoever runs the server. */
function AddModelKey() {
  return (
    <SettingsSection
      title="Add a provider"
      description="Whoever runs the server sets these in its environment and starts it again. A key or a base URL is enough."
    >
      <div className="grid grid-cols-1 gap-5 text-sm">
        <div className="grid gap-5 sm:grid-cols-2">
          {PROVIDERS.map(({ name, settings }) => (
            <div key={name} className="min-w-0">
              <h3 className="mb-2 font-medium">{name}</h3>
              <dl className="grid gap-2">
                {settings.map(([setting, meaning]) => (
                  <div key={setting}>
                    <dt className="font-mono text-xs wrap-anywhere">{setting}</dt>
                    <dd className="text-muted">{meaning}</dd>
                  </div>
                ))}
              </dl>
            </div>
          ))}
        </div>
        <p className="text-muted">
          With a base URL no key is needed: vLLM, llama.cpp, Ollama and gateways all work. A server that knows its models by
          names of its own needs the model as well.
        </p>
        <code className="block rounded-lg bg-subtle px-3 py-2.5 font-mono text-xs wrap-anywhere">
          ANTHROPIC_API_KEY=sk-ant-… baton serve
        </code>
      </div>
    </SettingsSection>
  )
}
