/** What is typed as a sum of dollars: null for nothing, undefined for what is no sum. */
export function dollars(text: string): number | null | undefined {
  const trimmed = text.trim().replace(/^\$\s*/, '')
  if (trimmed === '') return null
  const sum = Number(trimmed)
  return Number.isFinite(sum) && sum >= 0 ? sum : undefined
}

export const NOT_A_SUM = 'Enter a sum in dollars, such as 5 or 2.50.'
