import type { Models } from '@/api/types'
import { modelPrices } from '@/components/agents/model-options'
import { SectionQuery, SettingsSection } from '@/components/forms/section'
import { Badge } from '@/components/ui/badge'
import { Notice } from '@/components/ui/notice'
import { useModels } from '@/hooks/use-server'
import { words } from '@/words/en/settings'

/** What agents think with on this server. */
export function ModelsPanel() {
  const query = useModels()
  return (
    <SectionQuery query={query} what="models">
      {({ demo, providers, aliases }) => (
        <>
          <SettingsSection
            title={words.providers}
            description={words.providersDescription}
          >
            {demo ? (
              <Notice>
                <p className="font-medium">{words.onlyTheDemoModelAnswers}</p>
                <p>
                  {words.noProviderIsSetUp}
                </p>
              </Notice>
            ) : (
              <ProviderList providers={providers} />
            )}
          </SettingsSection>
          <SettingsSection
            title={words.names}
            description={words.namesDescription}
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
            {one.model ?? <Badge tone="dashed">{words.noModelForItHere}</Badge>}
          </span>
          <span className="text-right text-muted tabular-nums sm:col-start-3">{modelPrices(one)}</span>
        </li>
      ))}
    </ul>
  )
}

const NAMES: Record<string, string> = words.providerNames

function ProviderList({ providers }: { providers: Models['providers'] }) {
  return (
    <ul className="divide-y divide-border">
      {providers.map(({ provider, hasKey, baseUrl }) => (
        <li key={provider} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3 text-sm first:pt-0 last:pb-0">
          <div className="min-w-0 grow">
            <p className="font-medium">{NAMES[provider] ?? provider}</p>
            {baseUrl !== null && <p className="font-mono text-xs text-muted wrap-anywhere">{baseUrl}</p>}
          </div>
          <Badge tone={hasKey ? 'brand' : 'neutral'}>{hasKey ? words.keySet : words.withoutAKey}</Badge>
        </li>
      ))}
    </ul>
  )
}

const settingsOf = () => [
  {
    name: words.providerNames.anthropic,
    settings: [
      ['ANTHROPIC_API_KEY', words.theKey],
      ['ANTHROPIC_BASE_URL', words.anotherAddressWithoutV1],
      ['BATON_ANTHROPIC_MODEL', words.theModelThatNamesMean],
    ],
  },
  {
    name: words.openAIAndOthers,
    settings: [
      ['OPENAI_API_KEY', words.theKey],
      ['OPENAI_BASE_URL', words.anotherAddressWithV1],
      ['BATON_OPENAI_MODEL', words.theModelThatNamesMean],
    ],
  },
]

/** How a provider is set up, for whoever runs the server. */
function AddModelKey() {
  return (
    <SettingsSection
      title={words.addAProvider}
      description={words.addAProviderDescription}
    >
      <div className="grid grid-cols-1 gap-5 text-sm">
        <div className="grid gap-5 sm:grid-cols-2">
          {settingsOf().map(({ name, settings }) => (
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
          {words.withABaseURLNo}
        </p>
        <code className="block rounded-lg bg-subtle px-3 py-2.5 font-mono text-xs wrap-anywhere">
          ANTHROPIC_API_KEY=sk-ant-… baton serve
        </code>
      </div>
    </SettingsSection>
  )
}
