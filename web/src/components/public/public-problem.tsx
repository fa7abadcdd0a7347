import { CloudOff, DoorClosed, Hourglass } from 'lucide-react'
import { ApiError, isGone, messageOf } from '@/api/errors'
import { Brand } from '@/components/layout/brand'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { TextLink } from '@/components/ui/text-link'
import { usePageTitle } from '@/hooks/use-browser'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/public'
import { rich } from '@/words/rich'

interface PublicProblemProps {
  query: { data: unknown; error: unknown; isFetching: boolean; refetch: () => unknown }
}

/** A public address that shows no chat: nothing is there, or not any more, too many came, or it could not be reached. */
export function PublicProblem({ query }: PublicProblemProps) {
  const gone = isGone(query.error)
  const wasOpen = query.data !== undefined
  const crowded = query.error instanceof ApiError && query.error.status === 429
  const missing = wasOpen ? words.thisChatHasBeenClosed : words.thereIsNoChatAt
  const title = gone ? missing : crowded ? words.tooManyVisitorsAtThe : words.theChatCouldNotBe
  usePageTitle(title)
  const Icon = gone ? DoorClosed : crowded ? Hourglass : CloudOff
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center pb-[env(safe-area-inset-bottom)]">
      <EmptyState
        icon={<Icon className="size-6" />}
        heading="h1"
        title={title}
        action={
          gone && !wasOpen ? undefined : (
            <Button variant="secondary" pending={query.isFetching} onClick={() => void query.refetch()}>
              {common.tryAgain}
            </Button>
          )
        }
      >
        {gone ? (
          <>
            {wasOpen ? words.whatYouHaveWrittenIs : words.itMayHaveBeenClosed}{' '}
            {rich(words.ifYouWorkHere, { link: (label) => <TextLink to="/">{label}</TextLink> })}
          </>
        ) : (
          messageOf(query.error)
        )}
      </EmptyState>
      <Brand className="text-sm! text-muted" />
    </main>
  )
}
