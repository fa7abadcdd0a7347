import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { keys } from '@/api/query-client'
import { FormSkeleton } from '@/components/forms/section'
import { Page } from '@/components/layout/page'
import { ToolForm } from '@/components/tools/tool-form'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { EmptyState } from '@/components/ui/empty-state'
import { ErrorState } from '@/components/ui/error-state'
import { BackLink, TextLink } from '@/components/ui/text-link'
import { useHiredAgents } from '@/hooks/use-agent-lists'
import { usePermissions } from '@/hooks/use-permissions'
import { deleteTool, useTools } from '@/hooks/use-tools'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/tools'
import { rich } from '@/words/rich'
import { say } from '@/words/say'

export default function ToolEditorPage() {
  const { id } = useParams<{ id?: string }>()
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const { mayChange } = usePermissions()
  const tools = useTools()
  const agents = useHiredAgents()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const tool = tools.data?.find((one) => one.id === id)
  const readOnly = tool !== undefined && !mayChange(tool)
  const isLoaded = tools.data !== undefined && agents.data !== undefined
  const error = tools.error ?? agents.error
  return (
    <Page
      title={tool?.name ?? (id === undefined ? words.newHandoffTool : common.tool)}
      description={readOnly ? words.onlyWhoeverMadeItAdmins : <BackLink to="/agents/tools">{common.tools}</BackLink>}
      actions={
        tool && !readOnly ? (
          <Button
            variant="ghost"
            size="icon"
            aria-label={say(words.deleteName, { name: tool.name })}
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
          title={words.theToolCouldNotBe}
          error={error}
          retrying={tools.isFetching || agents.isFetching}
          onRetry={() => void Promise.all([tools.refetch(), agents.refetch()])}
        />
      ) : !isLoaded ? (
        <FormSkeleton what="tool" />
      ) : id !== undefined && tool === undefined ? (
        <EmptyState icon="🔀" title={words.thereIsNoSuchTool}>
          {rich(words.itMayHaveBeenDeleted, { link: (label) => <TextLink to="/agents/tools">{label}</TextLink> })}
        </EmptyState>
      ) : (
        <ToolForm key={id} tool={tool} tools={tools.data} agents={agents.data} readOnly={readOnly} />
      )}
      {opener && tool && (
        <ConfirmDialog
          title={say(words.deleteNameQuestion, { name: tool.name })}
          description={words.agentsThatHaveItGo}
          opener={opener}
          onClose={() => {
            setOpener(null)
          }}
          onConfirm={async () => {
            await deleteTool(tool.id)
            navigate('/agents/tools')
            notify(say(words.nameIsDeleted, { name: tool.name }))
            await queryClient.invalidateQueries({ queryKey: keys.tools(workspace.id) })
          }}
        />
      )}
    </Page>
  )
}
