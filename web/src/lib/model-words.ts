// What an agent's model stands for and costs, in words.
import type { Models } from '@/api/types'

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
