/**
 * How dates with words in them are written: in the language of the app's own texts, as it is written where the reader lives
 * if they read that language (`en-GB`). Bare numbers follow the browser alone.
 */
export function locale(): string {
  const language = document.documentElement.lang || 'en'
  return navigator.languages.find((wanted) => wanted.split('-')[0] === language) ?? language
}
