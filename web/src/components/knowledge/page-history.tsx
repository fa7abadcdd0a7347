import { clsx } from 'clsx'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import type { KnowledgePage, KnowledgeVersion } from '@/api/types'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { restorePageVersion, usePageVersion, usePageVersions, useRefreshPages } from '@/hooks/use-knowledge'
import { notify } from '@/lib/toasts'
import { ago, dateAndTime } from '@/lib/when'
import { words } from '@/words/en/knowledge'
import { say } from '@/words/say'
import { authorOf, ChangedBy } from './changed-by'
import { diffLines } from './diff'

interface PageHistoryProps {
  page: KnowledgePage
  mayChange: boolean
  onClose: () => void
}

/** The versions of a page: who made each, what it changed, and a way back to it. */
export function PageHistory({ page, mayChange, onClose }: PageHistoryProps) {
  const { data, error, isFetching, refetch } = usePageVersions(page.id)
  const [chosen, setChosen] = useState(page.version)
  const version = data?.find((one) => one.version === chosen)
  return (
    <section aria-labelledby="history-title" className="min-w-0">
      <Button variant="ghost" size="sm" className="mb-2 -ml-3" onClick={onClose}>
        <ArrowLeft aria-hidden className="size-4" />
        {words.back}
      </Button>
      <h1 id="history-title" dir="auto" className="mb-4 text-2xl font-semibold tracking-tight wrap-anywhere">
        {page.title}
      </h1>
      {error !== null && <ErrorState title={words.pageNotLoaded} error={error} retrying={isFetching} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && (
        <div className="grid min-w-0 gap-6 lg:grid-cols-[14rem_1fr]">
          <ul aria-label={words.versions} className="grid max-h-60 content-start gap-px overflow-y-auto lg:max-h-none">
            {data.map((one) => (
              <li key={one.version}>
                <Choice version={one} isChosen={one.version === chosen} isCurrent={one.version === page.version} onChoose={() => { setChosen(one.version) }} />
              </li>
            ))}
          </ul>
          {version !== undefined && <Version key={version.version} page={page} version={version} mayChange={mayChange} onRestored={onClose} />}
        </div>
      )}
    </section>
  )
}

interface ChoiceProps {
  version: KnowledgeVersion
  isChosen: boolean
  isCurrent: boolean
  onChoose: () => void
}

function Choice({ version, isChosen, isCurrent, onChoose }: ChoiceProps) {
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      title={dateAndTime(version.created_at)}
      className={clsx('w-full rounded-md px-3 py-2 text-left text-sm transition-colors hover:bg-subtle', isChosen && 'bg-subtle')}
      onClick={onChoose}
    >
      <span className="flex items-center gap-2 font-medium">
        {words.what[version.what as keyof typeof words.what]}
        {isCurrent && <Badge>{words.current}</Badge>}
      </span>
      <span dir="auto" className="block truncate text-muted">{authorOf(version)}</span>
      <span className="block text-xs text-muted">{ago(version.created_at)}</span>
    </button>
  )
}

interface VersionProps {
  page: KnowledgePage
  version: KnowledgeVersion
  mayChange: boolean
  onRestored: () => void
}

function Version({ page, version, mayChange, onRestored }: VersionProps) {
  const [isBusy, setBusy] = useState(false)
  const refresh = useRefreshPages()
  const now = usePageVersion(page.id, version.version)
  const before = usePageVersion(page.id, version.version > 1 ? version.version - 1 : undefined)
  const restore = async () => {
    setBusy(true)
    try {
      await restorePageVersion(page.id, version.version)
      await refresh()
      onRestored()
    } catch (error) {
      notify(messageOf(error), 'error')
    } finally {
      setBusy(false)
    }
  }
  // The one before it may be gone.
  const isReady = now.data !== undefined && (version.version === 1 || before.data !== undefined || before.error !== null)
  return (
    <div className="min-w-0">
      <div className="mb-3 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold">{say(words.versionTitle, { version: version.version })}</h2>
          <ChangedBy version={version} />
        </div>
        {mayChange && version.version !== page.version && (
          <Button variant="secondary" size="sm" pending={isBusy} onClick={() => void restore()}>
            {words.restoreVersion}
          </Button>
        )}
      </div>
      {isReady ? (
        <Changes before={before.data?.body ?? ''} after={now.data.body} />
      ) : now.error !== null ? (
        <ErrorState title={words.versionNotLoaded} error={now.error} retrying={now.isFetching} onRetry={() => void now.refetch()} />
      ) : (
        <Loading />
      )}
    </div>
  )
}

function Loading() {
  return (
    <div role="status">
      <span className="sr-only">{words.loadingVersions}</span>
      <Skeleton className="h-40 w-full" />
    </div>
  )
}

function Changes({ before, after }: { before: string; after: string }) {
  if (before === after) return <p className="text-sm text-muted">{words.noDifference}</p>
  return (
    <div tabIndex={0} role="region" aria-label={words.changes} className="overflow-x-auto rounded-lg border border-border bg-surface py-2 font-mono text-[0.8125rem] leading-5.5">
      {diffLines(before, after).map(({ kind, text }, index) => (
        <div
          key={index}
          dir="auto"
          className={clsx('flex gap-2 px-3 whitespace-pre-wrap wrap-anywhere', {
            'bg-success/12': kind === 'added',
            'bg-danger/12': kind === 'removed',
          })}
        >
          <span aria-hidden className="w-3 shrink-0 text-muted select-none">{SIGNS[kind]}</span>
          {kind !== 'same' && <span className="sr-only">{kind === 'added' ? words.added : words.removed}</span>}
          <span className="min-w-0">{text === '' ? '\u00a0' : text}</span>
        </div>
      ))}
    </div>
  )
}

const SIGNS = { same: '', added: '+', removed: '−' }
