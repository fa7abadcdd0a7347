import { lazy } from 'react'
import { useParams } from 'wouter'
import { isGone } from '@/api/errors'
import { ImportStatus } from '@/components/imports/import-counts'
import { ImportView } from '@/components/imports/import-view'
import { Page } from '@/components/layout/page'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { BackLink } from '@/components/ui/text-link'
import { useAccess } from '@/hooks/use-areas'
import { optionsOf, useAllRows, useKinds, useRowActions } from '@/hooks/use-data'
import { type ImportedAccount, useImport } from '@/hooks/use-imports'
import { dateAndTime } from '@/lib/when'
import { words } from '@/words/en/imports'
import { say } from '@/words/say'

const NotFoundPage = lazy(() => import('./not-found'))

export default function ImportPage() {
  const { id = '' } = useParams()
  const query = useImport(id)
  const kinds = useKinds()
  const accounts = useAllRows('accounts')
  const access = useAccess('money')
  const { changeNow } = useRowActions('accounts')
  if (isGone(query.error)) return <NotFoundPage />
  const details = query.data
  const fit = async ({ account_id, fitting_opening_balance }: ImportedAccount) => {
    if (account_id !== null) await changeNow(account_id, { opening_balance: fitting_opening_balance })
  }
  return (
    <Page
      title={details?.import.filename ?? words.loadingImport}
      description={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <BackLink to="/imports">{words.backToImports}</BackLink>
          {details !== undefined && (
            <>
              <ImportStatus status={details.import.status} />
              <span>{say(words.broughtBy, { when: dateAndTime(details.import.created_at) })}</span>
            </>
          )}
        </span>
      }
    >
      {details !== undefined ? (
        <ImportView
          details={details}
          kind={kinds.data?.find(({ name }) => name === details.import.kind)}
          accounts={optionsOf(accounts.data)}
          mayChange={access === 'write'}
          onFit={fit}
        />
      ) : query.isPending ? (
        <div role="status">
          <span className="sr-only">{words.loadingImport}</span>
          <Skeleton className="h-40" />
        </div>
      ) : (
        <ErrorState title={words.importNotLoaded} error={query.error} retrying={query.isFetching} onRetry={() => void query.refetch()} />
      )}
    </Page>
  )
}
