// The parts of a split transaction while they are typed.
import { decimalOf, parseMoney } from '@/lib/money'

export interface PartDraft {
  key: number
  amount: string
  categoryId: string
  memo: string
}

let next = 1

export function newPart(changes: Partial<PartDraft> = {}): PartDraft {
  return { key: next++, amount: '', categoryId: '', memo: '', ...changes }
}

/** Parts as they are stored, or two to begin with: all of it in its category, and an empty one. */
export function partsOf(parts: readonly { amount: number; category_id: string | null; memo: string | null }[], whole: { amount: number; currency: string; categoryId: string | null }): PartDraft[] {
  if (parts.length === 0) return [newPart({ amount: decimalOf(whole.amount, whole.currency), categoryId: whole.categoryId ?? '' }), newPart()]
  return parts.map(({ amount, category_id, memo }) => newPart({ amount: decimalOf(amount, whole.currency), categoryId: category_id ?? '', memo: memo ?? '' }))
}

/** What is left to share out; undefined while an amount can't be read. */
export function leftOf(parts: readonly PartDraft[], amount: number, currency: string): number | undefined {
  const amounts = parts.map((part) => (part.amount.trim() === '' ? 0 : parseMoney(part.amount, currency)))
  if (amounts.some((one) => one === undefined)) return undefined
  return amounts.reduce<number>((left, one) => left - (one ?? 0), amount)
}
