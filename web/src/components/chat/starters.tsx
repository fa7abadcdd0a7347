/** First messages that an agent or a team offers; a press sends one. */
export function Starters({ texts, onChoose }: { texts: readonly string[]; onChoose: (text: string) => void }) {
  if (texts.length === 0) return null
  return (
    <ul aria-label="Starters" className="flex w-full max-w-xl flex-col gap-2">
      {texts.map((text) => (
        <li key={text}>
          <button
            type="button"
            className="w-full rounded-xl border border-border bg-surface px-4 py-2.5 text-left text-sm text-pretty wrap-anywhere hover:bg-subtle"
            onClick={() => {
              onChoose(text)
            }}
          >
            {text}
          </button>
        </li>
      ))}
    </ul>
  )
}
