import { ImportHistory } from '@/components/imports/import-history'
import { ImportStart } from '@/components/imports/import-start'
import { Page } from '@/components/layout/page'
import { ErrorState } from '@/components/ui/error-state'
import { Notice } from '@/components/ui/notice'
import { Section } from '@/components/ui/section'
import { Skeleton } from '@/components/ui/skeleton'
import { useAreas } from '@/hooks/use-areas'
import { optionsOf, useAllRows, useKinds } from '@/hooks/use-data'
import { useImports } from '@/hooks/use-imports'
import { words } from '@/words/en/imports'
import { say } from '@/words/say'

export default function ImportsPage() {
  const imports = useImports()
  const areas = useAreas()
  const kinds = useKinds()
  const accounts = useAllRows('accounts')
  const mayWrite = (area: string) => areas.data?.own.some((own) => own.area === area && own.access === 'write') === true
  const writable = kinds.data?.filter(({ area }) => mayWrite(area)) ?? []
  const list = imports.data?.imports ?? []
  const failed = [kinds, areas].find(({ isLoadingError }) => isLoadingError)
  return (
    <Page title={words.imports} description={words.importsDescription}>
      <div className="grid grid-cols-1 gap-8">
        {failed !== undefined ? (
          <ErrorState title={words.startNotLoaded} error={failed.error} retrying={failed.isFetching} onRetry={() => void failed.refetch()} />
        ) : kinds.data === undefined || areas.data === undefined ? (
          <div role="status">
            <span className="sr-only">{words.loadingStart}</span>
            <Skeleton className="h-72" />
          </div>
        ) : writable.length === 0 ? (
          <Notice>{words.youMayNotChange}</Notice>
        ) : (
          <ImportStart kinds={writable} accounts={optionsOf(accounts.data)} />
        )}
        <Section title={words.history}>
          {imports.isPending && (
            <div role="status">
              <span className="sr-only">{words.loadingImports}</span>
              <Skeleton className="h-40" />
            </div>
          )}
          {imports.isLoadingError && (
            <ErrorState title={words.importsNotLoaded} error={imports.error} retrying={imports.isFetching} onRetry={() => void imports.refetch()} />
          )}
          {imports.data !== undefined && list.length === 0 && <p className="text-sm text-muted">{words.noImportsYet}</p>}
          {list.length > 0 && <ImportHistory imports={list} kinds={kinds.data ?? []} />}
          {imports.data !== undefined && imports.data.total > list.length && list.length > 0 && (
            <p className="mt-2 text-sm text-muted">{say(words.moreImports, { count: list.length })}</p>
          )}
        </Section>
      </div>
    </Page>
  )
}
