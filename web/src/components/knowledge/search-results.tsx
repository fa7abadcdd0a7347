import { SearchX } from 'lucide-react'
import { Link } from 'wouter'
import type { FoundPage, TextPart } from '@/api/types'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { useDebouncedValue } from '@/hooks/use-browser'
import { usePageSearch } from '@/hooks/use-knowledge'
import { words } from '@/words/en/knowledge'
import { say } from '@/words/say'

/** What is found, while one types. */
export function SearchResults({ search, onOpen }: { search: string; onOpen: () => void }) {
  const { data, error, isFetching, refetch } = usePageSearch(useDebouncedValue(search.trim()))
  if (error !== null) return <ErrorState title={words.pagesNotLoaded} error={error} retrying={isFetching} onRetry={() => void refetch()} />
  if (data === undefined) return <p role="status" className="text-sm text-muted">{words.searching}</p>
  if (data.pages.length === 0) {
    return (
      <EmptyState icon={<SearchX className="size-6" />} title={words.nothingFound}>
        {words.nothingFoundHint}
      </EmptyState>
    )
  }
  const count = data.total
  return (
    <div>
      <p role="status" className="mb-3 text-sm text-muted">
        {data.is_counted ? say(words.found, { count }) : say(words.foundMore, { count })}
      </p>
      <ul className="grid gap-2">
        {data.pages.map((page) => (
          <li key={page.id}>
            <Found page={page} onOpen={onOpen} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Found({ page, onOpen }: { page: FoundPage; onOpen: () => void }) {
  return (
    <Link
      to={`/knowledge/${page.id}`}
      onClick={onOpen}
      className="block rounded-xl border border-border bg-surface px-4 py-3 shadow-lift transition-colors hover:bg-subtle sm:px-5"
    >
      {page.above.length > 0 && (
        <span dir="auto" className="block truncate text-xs text-muted">
          {page.above.map(({ title }) => title).join(' / ')}
        </span>
      )}
      <span dir="auto" className="block font-medium wrap-anywhere">
        <Parts parts={page.title_parts} />
      </span>
      <span dir="auto" className="mt-0.5 block text-sm text-muted wrap-anywhere">
        <Parts parts={page.snippet} />
      </span>
    </Link>
  )
}

function Parts({ parts }: { parts: readonly TextPart[] }) {
  return parts.map((part, index) =>
    part.is_hit ? (
      <mark key={index} className="rounded-sm bg-brand/20 text-foreground">
        {part.text}
      </mark>
    ) : (
      <span key={index}>{part.text}</span>
    ),
  )
}
