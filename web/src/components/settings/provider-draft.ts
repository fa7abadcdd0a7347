// A provider as it is typed: everything is text until it is sent.
import { problemsOf } from '@/components/forms/checks'
import type { Provider, ProviderBody, ProviderModel, WireFormat } from '@/hooks/use-providers'
import { words } from '@/words/en/providers'
import { dollars } from './workspace-fields'

export interface ModelDraft {
  model: string
  aliases: string
  inputPrice: string
  outputPrice: string
}

export interface ProviderDraft {
  name: string
  wire: WireFormat
  base_url: string
  key: string
  models: ModelDraft[]
}

export const NEW_MODEL: ModelDraft = { model: '', aliases: '', inputPrice: '', outputPrice: '' }

export function draftOf(provider: Provider | null): ProviderDraft {
  if (provider === null) return { name: '', wire: 'anthropic', base_url: '', key: '', models: [] }
  const { name, wire, base_url, models } = provider
  return { name, wire, base_url: base_url ?? '', key: '', models: models.map(modelDraft) }
}

function modelDraft({ model, aliases = [], input_price, output_price }: ProviderModel): ModelDraft {
  return {
    model,
    aliases: aliases.join(', '),
    inputPrice: input_price?.toString() ?? '',
    outputPrice: output_price?.toString() ?? '',
  }
}

/** As the server takes it. `saved` has prices of the cache and windows, which the form leaves as they are. */
export function bodyOf(draft: ProviderDraft, saved: Provider | null): ProviderBody {
  const key = draft.key.trim()
  return {
    name: draft.name.trim(),
    wire: draft.wire,
    base_url: draft.base_url.trim() === '' ? null : draft.base_url.trim(),
    ...(key !== '' && { key }),
    models: draft.models.map((model) => modelBody(model, saved)),
  }
}

function modelBody({ model, aliases, inputPrice, outputPrice }: ModelDraft, saved: Provider | null): ProviderModel {
  const before = saved?.models.find((one) => one.model === model.trim())
  const input_price = dollars(inputPrice) ?? null
  return {
    model: model.trim(),
    aliases: aliases.split(/[\s,]+/).filter((alias) => alias !== ''),
    input_price,
    output_price: dollars(outputPrice) ?? null,
    cache_read_price: input_price === null ? null : (before?.cache_read_price ?? null),
    cache_write_price: input_price === null ? null : (before?.cache_write_price ?? null),
    context_window: before?.context_window ?? null,
  }
}

/** What is wrong, by the field's name. */
export function problemsWith({ name, models }: ProviderDraft): Record<string, string> {
  const ofModels = models.map(({ model, inputPrice, outputPrice }, i) => {
    const [input, output] = [dollars(inputPrice), dollars(outputPrice)]
    return {
      [`models.${String(i)}.model`]: model.trim() === '' && words.modelMissing,
      [`models.${String(i)}.price`]:
        input === undefined || output === undefined ? words.noPrice : (input === null) !== (output === null) && words.bothPrices,
    }
  })
  return problemsOf(Object.assign({ name: name.trim() === '' && words.nameMissing }, ...ofModels) as Record<string, string | false>)
}
