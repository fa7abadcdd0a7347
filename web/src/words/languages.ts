// The languages besides English, and the choice of one when the app starts.
import type { Language } from './language'

/** Each is loaded only where it is chosen. A new language is a folder of catalogs beside `en/`, and a line here. */
const LANGUAGES: Partial<Record<string, () => Promise<Language>>> = {
  'en-XA': async () => (await import('./pseudo')).pseudo,
}

/** Before anything is drawn. Whatever is unknown, or can't be loaded, is English. */
export async function startLanguage(chosen: string | null): Promise<void> {
  const load = LANGUAGES[chosen ?? 'en']
  if (load === undefined) return
  const [{ speak }, language] = await Promise.all([import('./language'), load()])
  speak(language)
}
