// Which models an agent can think with, what they stand for and what they cost, in words.
import type { Models } from '@/api/types'
import { useModels } from '@/hooks/use-server'

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
  if (model === null) return 'no model for it here'
  return model === 'demo/demo' ? 'demo model' : model
}

/** Of a million tokens. */
export function modelPrices({ inputPrice, outputPrice }: Alias): string {
  if (inputPrice === null || outputPrice === null) return 'Price not known'
  if (inputPrice === 0 && outputPrice === 0) return 'Free'
  return `${dollars(inputPrice)} in, ${dollars(outputPrice)} out`
}

function dollars(usd: number): string {
  return usd.toLocaleString(undefined, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' })
}
