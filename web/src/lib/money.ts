// Money of the workspace: an integer of the currency's smallest unit, with the currency. How many decimals a currency has is
// ISO 4217's, as on the server; browsers have another table for some.

const NONE = 'BIF BYR CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF BEF ESP GRD ITL LUF PTE TRL'.split(' ')
const THREE = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')
const FOUR = 'CLF UYW'.split(' ')

/** How many decimals amounts of a currency have. */
export function exponentOf(currency: string): number {
  if (NONE.includes(currency)) return 0
  if (THREE.includes(currency)) return 3
  return FOUR.includes(currency) ? 4 : 2
}

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${currency} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const made = newFormat(currency, options)
  formats.set(key, made)
  return made
}

function newFormat(currency: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...options })
  } catch {
    // Not three letters: the number alone is still right.
    return new Intl.NumberFormat(undefined, options)
  }
}

/** `€1,234.50`, with a minus that is as wide as a plus. */
export function formatMoney(minor: number, currency: string, options: Intl.NumberFormatOptions = {}): string {
  const exponent = exponentOf(currency)
  const digits = { minimumFractionDigits: exponent, maximumFractionDigits: exponent }
  return formatOf(currency, { ...digits, ...options }).format(minor / 10 ** exponent).replace('-', '−')
}

/** Without cents, for axes and large figures: `€1.2K`. */
export function shortMoney(minor: number, currency: string): string {
  return formatMoney(minor, currency, { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 })
}

/** As one types it into a field: `-12.50`, with the decimal point of the reader's language. */
export function decimalOf(minor: number, currency: string): string {
  const exponent = exponentOf(currency)
  const digits = String(Math.abs(minor)).padStart(exponent + 1, '0')
  const whole = digits.slice(0, digits.length - exponent)
  const sign = minor < 0 ? '-' : ''
  return exponent === 0 ? sign + whole : `${sign}${whole}${decimalPoint()}${digits.slice(-exponent)}`
}

/**
 * What someone typed, in minor units; undefined if it is no amount of this currency. Both `1,234.50` and `1.234,50` are
 * understood: the last mark is the decimal one if it has at most as many digits behind it as the currency has decimals.
 */
export function parseMoney(text: string, currency: string): number | undefined {
  const exponent = exponentOf(currency)
  const plain = text.trim().replaceAll(/[\s'’]/g, '').replace('−', '-')
  const match = /^([+-]?)([\d.,]+)$/.exec(plain)
  if (match === null) return undefined
  const [, sign = '', digits = ''] = match
  const parts = split(digits, exponent)
  if (parts === undefined) return undefined
  const minor = Number(parts.whole + parts.part.padEnd(exponent, '0'))
  if (!Number.isSafeInteger(minor)) return undefined
  return sign === '-' && minor !== 0 ? -minor : minor
}

function split(digits: string, exponent: number): { whole: string; part: string } | undefined {
  const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  const behind = at < 0 ? 0 : digits.length - at - 1
  const mark = digits[at] ?? ''
  const isDecimal = at >= 0 && digits.indexOf(mark) === at && behind <= exponent && !isGrouping(digits, at, exponent)
  const whole = isDecimal ? digits.slice(0, at) : digits
  const part = isDecimal ? digits.slice(at + 1) : ''
  // What is left of marks must group by three.
  const groups = whole.split(/[.,]/)
  const isGrouped = groups.length === 1 || (groups.slice(1).every((group) => group.length === 3) && new Set(whole.replaceAll(/\d/g, '')).size === 1)
  if (!isGrouped || (whole === '' && part === '')) return undefined
  return { whole: groups.join('') || '0', part }
}

/** `1,234` of a currency with three decimals is as the reader's language has it. */
function isGrouping(digits: string, at: number, exponent: number): boolean {
  return exponent === 3 && digits.length - at - 1 === 3 && digits[at] !== decimalPoint()
}

function decimalPoint(): string {
  return new Intl.NumberFormat().formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
}

/** The currency that something new is most likely in. */
export function mostUsed(currencies: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const currency of currencies) counts.set(currency, (counts.get(currency) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}
