import { NewAgentForm } from '@/components/agent-editor/new-agent-form'
import { FormSkeleton } from '@/components/forms/section'
import { Page } from '@/components/layout/page'
import { ErrorState } from '@/components/ui/error-state'
import { BackLink } from '@/components/ui/text-link'
import { useModels } from '@/hooks/use-server'

const PREFERRED_MODEL = 'sonnet'

export default function NewAgentPage() {
  const models = useModels()
  const aliases = models.data?.aliases.map(({ alias }) => alias) ?? []
  const model = aliases.find((alias) => alias === PREFERRED_MODEL) ?? aliases[0] ?? PREFERRED_MODEL
  return (
    <Page title="New agent" description={<BackLink to="/agents/hired">My Agents</BackLink>}>
      {models.isError ? (
        <ErrorState
          title="The models could not be loaded"
          error={models.error}
          retrying={models.isFetching}
          onRetry={() => void models.refetch()}
        />
      ) : models.isPending ? (
        <FormSkeleton what="models" />
      ) : (
        <NewAgentForm model={model} />
      )}
    </Page>
  )
}
