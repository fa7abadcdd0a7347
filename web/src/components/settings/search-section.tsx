import { useState } from 'react'
import { problemsOf } from '@/components/forms/checks'
import { SectionQuery, SettingsSection } from '@/components/forms/section'
import { useDraft } from '@/components/forms/use-form'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { SelectField, TextField } from '@/components/ui/fields'
import { Notice } from '@/components/ui/notice'
import {
  type EngineBody,
  removeSearchEngine,
  type SearchEngineKind,
  type SearchEngineSetting,
  setSearchEngine,
  testSearchEngine,
  useRefreshProviders,
  useSearchEngine,
  type Whose,
} from '@/hooks/use-providers'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/providers'
import { KeyField } from './provider-form'
import { TestButton } from './test-button'

/** The web search engine of the server or of a workspace, for whoever may set it. */
export function SearchSection({ whose }: { whose: Whose }) {
  const query = useSearchEngine(whose)
  return (
    <SectionQuery query={query} what="search">
      {(setting) => <SearchForm whose={whose} setting={setting} />}
    </SectionQuery>
  )
}

interface EngineDraft {
  kind: SearchEngineKind
  base_url: string
  key: string
}

function bodyOf({ kind, base_url, key }: EngineDraft): EngineBody {
  return {
    kind,
    base_url: base_url.trim() === '' ? null : base_url.trim(),
    ...(key.trim() !== '' && { key: key.trim() }),
  }
}

function SearchForm({ whose, setting: { engine, server_has_one } }: { whose: Whose; setting: SearchEngineSetting }) {
  const refresh = useRefreshProviders()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const hasKey = (kind: SearchEngineKind) => engine?.has_key === true && engine.kind === kind
  const form = useDraft<EngineDraft>({
    saved: { kind: engine?.kind ?? 'searxng', base_url: engine?.base_url ?? '', key: '' },
    check: ({ kind, base_url, key }) =>
      problemsOf({
        base_url: kind === 'searxng' && base_url.trim() === '' && words.engineAddressMissing,
        key: kind !== 'searxng' && key.trim() === '' && !hasKey(kind) && words.keyMissing,
      }),
    save: async (draft) => {
      await setSearchEngine(whose, bodyOf(draft))
      // A key is never shown again.
      form.reset({ ...draft, key: '' })
      notify(words.engineIsSaved)
      await refresh()
    },
  })
  const { draft } = form
  return (
    <SettingsSection title={words.webSearch} description={whose === null ? words.webSearchServer : words.webSearchWorkspace}>
      <form noValidate onSubmit={form.onSubmit} className="grid gap-5">
        {engine === null && <Notice>{whose !== null && server_has_one ? words.usesTheServers : words.noEngine}</Notice>}
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <div className="grid gap-5 sm:grid-cols-2">
          <SelectField<SearchEngineKind>
            label={words.engine}
            {...form.field('kind')}
            onChange={(kind) => {
              form.change({ kind, base_url: '', key: '' })
            }}
          >
            {(Object.keys(words.engines) as SearchEngineKind[]).map((kind) => (
              <option key={kind} value={kind}>
                {words.engines[kind]}
              </option>
            ))}
          </SelectField>
          {draft.kind === 'searxng' ? (
            <TextField label={words.engineAddress} {...form.field('base_url')} type="url" maxLength={500} hint={words.engineAddressHint} />
          ) : (
            <KeyField
              name="key"
              value={draft.key}
              problem={form.problemWith('key')}
              hint={hasKey(draft.kind) ? words.keyKept : words.keyHint}
              onChange={(key) => {
                form.change({ key })
              }}
            />
          )}
        </div>
        {engine?.key_is_readable === false && <Alert>{words.keyCantBeReadHint}</Alert>}
        <div className="flex flex-wrap gap-2">
          <Button type="submit" pending={form.pending}>
            {words.save}
          </Button>
          {engine !== null && (
            <Button
              variant="ghost"
              disabled={form.pending}
              onClick={(event) => {
                setOpener(event.currentTarget)
              }}
            >
              {words.removeEngine}
            </Button>
          )}
          <TestButton key={JSON.stringify(draft)} test={() => testSearchEngine(whose, bodyOf(draft))} />
        </div>
      </form>
      {opener !== null && (
        <ConfirmDialog
          title={words.removeEngineQuestion}
          description={words.removeEngineDescription}
          action={words.remove}
          opener={opener}
          onConfirm={async () => {
            await removeSearchEngine(whose)
            notify(words.engineIsRemoved)
            await refresh()
          }}
          onClose={() => {
            setOpener(null)
          }}
        />
      )}
    </SettingsSection>
  )
}
