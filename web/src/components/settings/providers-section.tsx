import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { SectionList, SettingsSection } from '@/components/forms/section'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { type Provider, removeProvider, useProviders, useRefreshProviders, type Whose } from '@/hooks/use-providers'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/providers'
import { say } from '@/words/say'
import { ProviderForm } from './provider-form'

interface ProvidersSectionProps {
  whose: Whose
  title: string
  description: string
  empty: string
}

/** The model providers of the server or of a workspace, for whoever may set them. */
export function ProvidersSection({ whose, title, description, empty }: ProvidersSectionProps) {
  const query = useProviders(whose)
  /** What the form is open for: a provider, or a new one. */
  const [open, setOpen] = useState<Provider | 'new' | null>(null)
  return (
    <>
      <SettingsSection
        title={title}
        description={description}
        actions={
          <Button
            variant="secondary"
            disabled={open === 'new'}
            onClick={() => {
              setOpen('new')
            }}
          >
            <Plus aria-hidden className="size-4" />
            {words.addProvider}
          </Button>
        }
      >
        <SectionList query={query} what="providers" isEmpty={query.data?.length === 0} empty={empty}>
          {query.data?.map((provider) => (
            <ProviderRow
              key={provider.id ?? provider.name}
              provider={provider}
              onChange={() => {
                setOpen(provider)
              }}
              onRemoved={() => {
                setOpen(null)
              }}
            />
          ))}
        </SectionList>
      </SettingsSection>
      {open !== null && (
        <ProviderForm
          key={open === 'new' ? 'new' : open.id}
          whose={whose}
          provider={open === 'new' ? null : open}
          onClose={() => {
            setOpen(null)
          }}
        />
      )}
    </>
  )
}

interface ProviderRowProps {
  provider: Provider
  onChange: () => void
  onRemoved: () => void
}

function ProviderRow({ provider, onChange, onRemoved }: ProviderRowProps) {
  const { id, name, wire, base_url, models } = provider
  const refresh = useRefreshProviders()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const about = [words.formats[wire], base_url ?? words.vendorsOwnAddress, ...(models.length > 0 ? [say(words.countModels, { count: models.length })] : [])]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 text-sm first:pt-0 last:pb-0">
      <div className="min-w-0 grow basis-56">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-muted wrap-anywhere">{about.join(' · ')}</p>
        {id === null && <p className="text-muted">{words.setInTheServersSettings}</p>}
        {!provider.key_is_readable && <p className="text-danger">{words.keyCantBeReadHint}</p>}
      </div>
      <div className="flex shrink-0 items-center gap-1">
        <KeyBadge provider={provider} />
        {id !== null && (
          <>
            <Button variant="ghost" size="icon" aria-label={say(words.changeName, { name })} onClick={onChange}>
              <Pencil aria-hidden className="size-4" />
            </Button>
            <Button
              variant="ghost"
              size="icon"
              aria-label={say(words.removeName, { name })}
              onClick={(event) => {
                setOpener(event.currentTarget)
              }}
            >
              <Trash2 aria-hidden className="size-4" />
            </Button>
          </>
        )}
      </div>
      {opener !== null && id !== null && (
        <ConfirmDialog
          title={say(words.removeNameQuestion, { name })}
          description={words.removeProviderDescription}
          action={words.remove}
          opener={opener}
          onConfirm={async () => {
            await removeProvider(id)
            onRemoved()
            notify(say(words.nameIsRemoved, { name }))
            await refresh()
          }}
          onClose={() => {
            setOpener(null)
          }}
        />
      )}
    </li>
  )
}

function KeyBadge({ provider: { has_key, key_is_readable } }: { provider: Pick<Provider, 'has_key' | 'key_is_readable'> }) {
  if (!key_is_readable) return <Badge tone="dashed">{words.keyCantBeRead}</Badge>
  return <Badge tone={has_key ? 'brand' : 'neutral'}>{has_key ? words.keySet : words.withoutAKey}</Badge>
}
