import { SecretField } from '@/components/forms/secret-field'
import { SettingsSection } from '@/components/forms/section'
import { useDraft } from '@/components/forms/use-form'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { SelectField, TextField } from '@/components/ui/fields'
import { changeProvider, createProvider, type Provider, testProvider, useRefreshProviders, type Whose, type WireFormat } from '@/hooks/use-providers'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/providers'
import { say } from '@/words/say'
import { bodyOf, draftOf, problemsWith } from './provider-draft'
import { ProviderModels } from './provider-models'
import { TestButton } from './test-button'

interface ProviderFormProps {
  whose: Whose
  /** The one that is changed; `null` for a new one. */
  provider: Provider | null
  onClose: () => void
}

/** A new provider, or one that is changed. It answers as soon as it is saved. */
export function ProviderForm({ whose, provider, onClose }: ProviderFormProps) {
  const refresh = useRefreshProviders()
  const id = provider?.id ?? null
  const form = useDraft({
    saved: draftOf(provider),
    check: problemsWith,
    save: async (draft) => {
      const body = bodyOf(draft, provider)
      const saved = await (id === null ? createProvider(whose, body) : changeProvider(id, body))
      notify(say(words.nameIsSaved, { name: saved.name }))
      onClose()
      await refresh()
    },
  })
  const { draft } = form
  return (
    <SettingsSection title={provider === null ? words.newProvider : say(words.changeName, { name: provider.name })}>
      <form noValidate onSubmit={form.onSubmit} className="grid gap-5">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <div className="grid gap-5 sm:grid-cols-2">
          <SelectField<WireFormat> label={words.format} autoFocus {...form.field('wire')}>
            {(Object.keys(words.formats) as WireFormat[]).map((wire) => (
              <option key={wire} value={wire}>
                {words.formats[wire]}
              </option>
            ))}
          </SelectField>
          <TextField
            label={words.name}
            {...form.field('name')}
            maxLength={40}
            autoCapitalize="none"
            spellCheck={false}
            placeholder={draft.wire}
            hint={say(words.nameHint, { name: draft.name.trim() === '' ? draft.wire : draft.name.trim() })}
          />
          <TextField
            label={words.baseUrl}
            {...form.field('base_url')}
            type="url"
            maxLength={500}
            hint={whose === null ? words.baseUrlHint[draft.wire] : words.baseUrlHintWorkspace}
          />
          <KeyField
            name="key"
            value={draft.key}
            problem={form.problemWith('key')}
            hint={provider?.has_key !== true ? words.keyHint : draft.base_url.trim() === (provider.base_url ?? '') ? words.keyKept : words.keyAgain}
            onChange={(key) => {
              form.change({ key })
            }}
          />
        </div>
        <ProviderModels form={form} />
        <div className="flex flex-wrap gap-2">
          <Button type="submit" pending={form.pending}>
            {words.save}
          </Button>
          <Button variant="ghost" disabled={form.pending} onClick={onClose}>
            {words.cancel}
          </Button>
          <TestButton key={JSON.stringify(draft)} test={() => testProvider(whose, id, bodyOf(draft, provider))} />
        </div>
      </form>
    </SettingsSection>
  )
}

interface KeyFieldProps {
  name: string
  value: string
  problem: string | undefined
  /** Whether one is stored, which stays unless another is typed. */
  hint: string
  onChange: (key: string) => void
}

export function KeyField(props: KeyFieldProps) {
  return <SecretField label={words.key} {...props} />
}
