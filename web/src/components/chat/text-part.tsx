import { lazy, Suspense } from 'react'

const loadMarkdown = () => import('./markdown')
const Markdown = lazy(loadMarkdown)

/** Called when a chat opens, so that the first answer doesn't change its look under one's eyes. */
export function prefetchMarkdown(): void {
  void loadMarkdown()
}

/** What an agent says. Plain until the markdown reader is here. */
export function TextPartView({ text, open }: { text: string; open: boolean }) {
  return (
    <Suspense fallback={<p className="leading-relaxed whitespace-pre-wrap wrap-anywhere">{text}</p>}>
      <Markdown text={text} open={open} />
    </Suspense>
  )
}
