// Which models an agent can think with, what they stand for and what they cost, in words.
import type { Models } from '@/api/types'
import { useModels } from '@/hooks/use-server'
import { words } from '@/words/en/agents'
import { say } from '@/words/say'

/** The models to choose from, with what each stands for; `current` stays even if the server knows it no longer. */
export function ModelOptions({ current }: { current: string }) {
  const { data } = useModels()
  const aliases = data?.aliases ?? []
  const isKnown = current === '' || aliases.some(({ alias }) => alias === current)
  return (
    <>
      {!isKnown && <option value={current}>{current}</option>}
      {aliases.map((alias) => (
        <option key={alias.alias} value={alias.alias}>
          {alias.alias} → {modelMeaning(alias)}
        </option>
      ))}
    </>
  )
}

type Alias = Models['aliases'][number]

export function modelMeaning({ model }: Alias): string {
  if (model === null) return words.noModelForItHere
  return model === 'demo/demo' ? words.demoModel : model
}

/** Of a million tokens. */
export function modelPrices({ inputPrice, outputPrice }: Alias): string {
  if (inputPrice === null || outputPrice === null) return words.priceNotKnown
  if (inputPrice === 0 && outputPrice === 0) return words.free
  return say(words.inputPriceInOutputPriceOut, { inputPrice: dollars(inputPrice), outputPrice: dollars(outputPrice) })
}

function dollars(usd: number): string {
  return usd.toLocaleString(undefined, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' })
}
