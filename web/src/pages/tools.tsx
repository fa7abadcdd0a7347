import { Plus } from 'lucide-react'
import { Link } from 'wouter'
import { Page } from '@/components/layout/page'
import { BuiltInList, ListSkeleton } from '@/components/tools/built-in-list'
import { HandoffList } from '@/components/tools/handoff-list'
import { useKnownTools } from '@/components/tools/known-tools'
import { buttonClass } from '@/components/ui/button'
import { ErrorState } from '@/components/ui/error-state'
import { useHiredAgents } from '@/hooks/use-agent-lists'
import { useTools } from '@/hooks/use-tools'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/tools'

export default function ToolsPage() {
  const known = useKnownTools()
  const defined = useTools()
  const agents = useHiredAgents()
  const error = known.error ?? agents.error
  const isPending = known.isPending || agents.isPending
  return (
    <Page
      title={common.tools}
      description={words.toolsDescription}
      actions={
        <Link to="/agents/tools/new" className={buttonClass('primary', 'md', 'shrink-0')}>
          <Plus aria-hidden className="size-4" />
          {words.newTool}
        </Link>
      }
    >
      {error ? (
        <ErrorState
          title={words.theToolsCouldNotBe}
          error={error}
          retrying={known.isFetching || agents.isFetching}
          onRetry={() => void Promise.all([known.refetch(), agents.refetch()])}
        />
      ) : (
        <div className="grid gap-8">
          <section aria-labelledby="handoff-tools">
            <h2 id="handoff-tools" className="mb-3 font-semibold">
              {words.handoffTools}
            </h2>
            {isPending ? <ListSkeleton what="handoffTools" /> : <HandoffList tools={defined.data ?? []} agents={agents.data ?? []} />}
          </section>
          <section aria-labelledby="built-in">
            <h2 id="built-in" className="font-semibold">
              {words.builtIn}
            </h2>
            <p className="mt-1 mb-3 text-sm text-muted">
              {words.batonBringsTheseAlongEvery}
            </p>
            {isPending ? (
              <ListSkeleton what="tools" rows={5} />
            ) : (
              <BuiltInList tools={known.tools.filter(({ kind }) => kind === 'built-in')} agents={agents.data ?? []} />
            )}
          </section>
        </div>
      )}
    </Page>
  )
}
