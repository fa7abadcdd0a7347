import { NewAgentForm } from '@/components/agent-editor/new-agent-form'
import { FormSkeleton } from '@/components/forms/section'
import { Page } from '@/components/layout/page'
import { ErrorState } from '@/components/ui/error-state'
import { BackLink } from '@/components/ui/text-link'
import { useModels } from '@/hooks/use-server'
import { words } from '@/words/en/agent-editor'
import { words as common } from '@/words/en/common'

const PREFERRED_MODEL = 'sonnet'

export default function NewAgentPage() {
  const models = useModels()
  const aliases = models.data?.aliases.map(({ alias }) => alias) ?? []
  const model = aliases.find((alias) => alias === PREFERRED_MODEL) ?? aliases[0] ?? PREFERRED_MODEL
  return (
    <Page title={words.newAgent} description={<BackLink to="/agents/hired">{common.myAgents}</BackLink>}>
      {models.isError ? (
        <ErrorState
          title={words.theModelsCouldNotBe}
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
