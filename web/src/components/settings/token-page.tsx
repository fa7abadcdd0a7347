import { $api } from '@/api/client'
import { SettingsSection } from '@/components/forms/section'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { Skeleton } from '@/components/ui/skeleton'
import { TextLink } from '@/components/ui/text-link'
import { useSession } from '@/hooks/use-session'
import { words } from '@/words/en/settings'
import { say } from '@/words/say'
import { ConnectPrograms } from './connect-programs'

/** One token: how programs connect with it. */
export function TokenPage({ id }: { id: string }) {
  const tokens = $api.useQuery('get', '/api/auth/tokens', {}, { select: (list) => list.tokens })
  const { workspaces } = useSession()
  if (tokens.isPending) {
    return (
      <div role="status">
        <span className="sr-only">{words.loading}</span>
        <Skeleton className="h-64" />
      </div>
    )
  }
  if (tokens.isLoadingError) {
    const retry = () => void tokens.refetch()
    return <ErrorState title={words.theTokenCouldNotBe} error={tokens.error} onRetry={retry} retrying={tokens.isFetching} />
  }
  const token = tokens.data.find((one) => one.id === id)
  const workspace = workspaces.find((one) => one.id === token?.workspace_id)
  if (token === undefined || workspace === undefined) {
    return (
      <EmptyState title={words.thereIsNoSuchToken}>
        <TextLink to="/settings/tokens">{words.backToTokens}</TextLink>
      </EmptyState>
    )
  }
  return (
    <SettingsSection
      title={say(words.connectWithName, { name: token.name })}
      description={say(words.connectDescription, { workspace: workspace.name })}
    >
      <div className="grid grid-cols-1 gap-5">
        <ConnectPrograms workspace={workspace.name} token="YOUR_TOKEN" />
        <p className="text-sm text-muted">{say(words.putYourTokenThere, { hint: token.hint })}</p>
        <p className="text-sm">
          <TextLink to="/settings/tokens">{words.backToTokens}</TextLink>
        </p>
      </div>
    </SettingsSection>
  )
}
