import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { keys } from '@/api/query-client'
import { deleteTool } from '@/api/tools'
import { BackLink } from '@/components/agent-form/back-link'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { FormSkeleton } from '@/components/agent-form/form-skeleton'
import { EmptyState } from '@/components/empty-state'
import { ErrorState } from '@/components/error-state'
import { Page } from '@/components/layout/page'
import { TextLink } from '@/components/text-link'
import { ToolForm } from '@/components/tools/tool-form'
import { Button } from '@/components/ui/button'
import { useHiredAgents } from '@/hooks/use-hired-agents'
import { useStanding } from '@/hooks/use-standing'
import { useTools } from '@/hooks/use-tools'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/notices'

export default function ToolEditorPage() {
  const { id } = useParams<{ id?: string }>()
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const { mayChange } = useStanding()
  const tools = useTools()
  const agents = useHiredAgents()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const tool = tools.data?.find((one) => one.id === id)
  const readOnly = tool !== undefined && !mayChange(tool)
  const isLoaded = tools.data !== undefined && agents.data !== undefined
  const error = tools.error ?? agents.error
  return (
    <Page
      title={tool?.name ?? (id === undefined ? 'New handoff tool' : 'Tool')}
      description={readOnly ? 'Only whoever made it, admins and owners can change it' : <BackLink to="/agents/tools">Tools</BackLink>}
      actions={
        tool && !readOnly ? (
          <Button
            variant="ghost"
            size="icon"
            aria-label={`Delete ${tool.name}`}
            onClick={(event) => {
              setOpener(event.currentTarget)
            }}
          >
            <Trash2 aria-hidden className="size-4" />
          </Button>
        ) : undefined
      }
    >
      {error && !isLoaded ? (
        <ErrorState
          title="The tool could not be loaded"
          error={error}
          retrying={tools.isFetching || agents.isFetching}
          onRetry={() => void Promise.all([tools.refetch(), agents.refetch()])}
        />
      ) : !isLoaded ? (
        <FormSkeleton what="tool" />
      ) : id !== undefined && tool === undefined ? (
        <EmptyState icon="🔀" title="There is no such tool">
          It may have been deleted. <TextLink to="/agents/tools">All tools</TextLink>
        </EmptyState>
      ) : (
        <ToolForm key={id} tool={tool} tools={tools.data} agents={agents.data} readOnly={readOnly} />
      )}
      {opener && tool && (
        <ConfirmDialog
          title={`Delete ${tool.name}?`}
          description="Agents that have it go on without it."
          opener={opener}
          onClose={() => {
            setOpener(null)
          }}
          onConfirm={async () => {
            await deleteTool(tool.id)
            navigate('/agents/tools')
            notify(`${tool.name} is deleted.`)
            await queryClient.invalidateQueries({ queryKey: keys.tools(workspace.id) })
          }}
        />
      )}
    </Page>
  )
}
