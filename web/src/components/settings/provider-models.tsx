import { Plus, X } from 'lucide-react'
import type { DraftForm } from '@/components/forms/use-form'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/fields'
import { words } from '@/words/en/providers'
import { say } from '@/words/say'
import { type ModelDraft, NEW_MODEL, type ProviderDraft } from './provider-draft'

/** The models of a provider that something is said about: what else they answer to, and what they cost. */
export function ProviderModels({ form }: { form: DraftForm<ProviderDraft> }) {
  const { models } = form.draft
  const set = (at: number, changes: Partial<ModelDraft>) => {
    form.change({ models: models.map((model, i) => (i === at ? { ...model, ...changes } : model)) })
  }
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="text-sm font-medium">{words.models}</legend>
      <p className="text-sm text-muted">{words.modelsHint}</p>
      {models.map((model, i) => (
        <div
          key={i}
          role="group"
          aria-label={say(words.modelAtPosition, { position: i + 1 })}
          className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-start gap-3 rounded-lg border border-border p-3 sm:grid-cols-[minmax(0,3fr)_minmax(0,3fr)_minmax(0,1.2fr)_minmax(0,1.2fr)_auto]"
        >
          <TextField
            label={words.model}
            name={`models.${String(i)}.model`}
            value={model.model}
            problem={form.problemWith(`models.${String(i)}.model`)}
            className="col-span-2 sm:col-span-1"
            maxLength={200}
            spellCheck={false}
            autoCapitalize="none"
            placeholder={words.modelPlaceholder}
            onChange={(name) => {
              set(i, { model: name })
            }}
          />
          <TextField
            label={words.aliases}
            name={`models.${String(i)}.aliases`}
            value={model.aliases}
            problem={form.problemWith(`models.${String(i)}.aliases`) ?? form.problemWith(`models.${String(i)}`)}
            className="col-span-3 col-start-1 sm:col-span-1 sm:col-start-auto"
            spellCheck={false}
            autoCapitalize="none"
            placeholder={words.aliasesPlaceholder}
            onChange={(aliases) => {
              set(i, { aliases })
            }}
          />
          <TextField
            label={words.inputPrice}
            name={`models.${String(i)}.price`}
            value={model.inputPrice}
            problem={form.problemWith(`models.${String(i)}.price`)}
            inputMode="decimal"
            onChange={(inputPrice) => {
              set(i, { inputPrice })
            }}
          />
          <TextField
            label={words.outputPrice}
            name={`models.${String(i)}.output_price`}
            value={model.outputPrice}
            inputMode="decimal"
            onChange={(outputPrice) => {
              set(i, { outputPrice })
            }}
          />
          <Button
            variant="ghost"
            size="icon"
            className="col-start-3 row-start-1 mt-6 sm:col-start-auto sm:row-start-auto"
            aria-label={say(words.removeModel, { position: i + 1 })}
            onClick={() => {
              form.change({ models: models.filter((_, at) => at !== i) })
            }}
          >
            <X aria-hidden className="size-4" />
          </Button>
        </div>
      ))}
      <div className="flex">
        <Button
          variant="secondary"
          onClick={() => {
            form.change({ models: [...models, NEW_MODEL] })
          }}
        >
          <Plus aria-hidden className="size-4" />
          {words.addModel}
        </Button>
      </div>
    </fieldset>
  )
}
