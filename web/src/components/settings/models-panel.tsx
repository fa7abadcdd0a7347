import type { Models } from '@/api/types'
import { modelPrices } from '@/components/agents/model-options'
import { SectionQuery, SettingsSection } from '@/components/forms/section'
import { Badge } from '@/components/ui/badge'
import { Notice } from '@/components/ui/notice'
import { TextLink } from '@/components/ui/text-link'
import { usePermissions } from '@/hooks/use-permissions'
import { useModels } from '@/hooks/use-server'
import { useSession } from '@/hooks/use-session'
import { useWorkspace } from '@/hooks/use-workspace'
import { words as providerWords } from '@/words/en/providers'
import { words } from '@/words/en/settings'
import { ProvidersSection } from './providers-section'
import { SearchSection } from './search-section'

/** What agents think with here: providers in use, those that the workspace brought itself, and what names stand for. */
export function ModelsPanel() {
  const query = useModels()
  const workspace = useWorkspace()
  const { isAdmin } = usePermissions()
  const { profile } = useSession()
  return (
    <SectionQuery query={query} what="models">
      {({ demo, providers, aliases }) => (
        <>
          <SettingsSection
            title={words.providers}
            description={words.providersDescription}
            actions={
              profile.is_admin && (
                <span className="text-sm">
                  <TextLink to="/administration/models">{words.setUpTheServersProviders}</TextLink>
                </span>
              )
            }
          >
            {demo ? (
              <Notice>
                <p className="font-medium">{words.onlyTheDemoModelAnswers}</p>
                <p>{words.noProviderIsSetUp}</p>
              </Notice>
            ) : (
              <ProviderList providers={providers} />
            )}
          </SettingsSection>
          {isAdmin && (
            <ProvidersSection
              whose={workspace.id}
              title={providerWords.ownProviders}
              description={providerWords.ownProvidersDescription}
              empty={providerWords.noOwnProvider}
            />
          )}
          <SettingsSection
            title={words.names}
            description={words.namesDescription}
          >
            <AliasList aliases={aliases} />
          </SettingsSection>
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

/** What this workspace searches the web with. */
export function SearchPanel() {
  return <SearchSection whose={useWorkspace().id} />
}
