import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { keys } from '@/api/query-client'
import type { Agent, Tool, ToolType } from '@/api/types'
import { FormSkeleton } from '@/components/forms/section'
import { Page } from '@/components/layout/page'
import { HandoffForm } from '@/components/tools/handoff-form'
import { HttpForm } from '@/components/tools/http-form'
import { OpenApiImport } from '@/components/tools/openapi-import'
import { PresetForm } from '@/components/tools/preset-form'
import { ServerForm } from '@/components/tools/server-form'
import { SupabaseForm } from '@/components/tools/supabase-form'
import { WAYS } from '@/components/tools/tool-kinds'
import { Badge } from '@/components/ui/badge'
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

/** A tool that is built, or one that is there: each type has a form of its own. */
export default function ToolEditorPage() {
  const { id, way: slug } = useParams<{ id?: string; way?: string }>()
  const way = WAYS.find((one) => one.slug === slug)
  const { isAdmin, mayChangeTool } = usePermissions()
  const tools = useTools()
  const agents = useHiredAgents()
  const tool = tools.data?.find((one) => one.id === id)
  const readOnly = tool !== undefined && !mayChangeTool(tool)
  const isLoaded = tools.data !== undefined && agents.data !== undefined
  const error = tools.error ?? agents.error
  const isOpen = way !== undefined && (isAdmin || !way.isForAdmins)
  const back = id === undefined ? { to: '/agents/tools/new', label: words.newTool } : { to: '/agents/tools', label: common.tools }
  return (
    <Page
      title={tool?.name ?? (way === undefined ? common.tool : words.ways[way.slug].page)}
      description={readOnly ? whoMayChange(tool) : <BackLink to={back.to}>{back.label}</BackLink>}
      actions={
        tool && (
          <div className="flex shrink-0 items-center gap-2">
            <Badge>{words.kinds[tool.type]}</Badge>
            {!readOnly && <DeleteTool tool={tool} />}
          </div>
        )
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
      ) : tool === undefined && !isOpen ? (
        <EmptyState icon="🧰" title={way === undefined ? words.thereIsNoSuchTool : words.forAdminsAndOwners}>
          {rich(way === undefined ? words.itMayHaveBeenDeleted : words.otherToolsYouCanMake, { link: (label) => <TextLink to="/agents/tools">{label}</TextLink> })}
        </EmptyState>
      ) : way?.slug === 'openapi' ? (
        <OpenApiImport taken={tools.data.map(({ name }) => name)} />
      ) : (
        <FormOf key={id ?? slug} type={tool?.type ?? way?.type ?? 'handoff'} {...{ tool, readOnly }} tools={tools.data} agents={agents.data} />
      )}
    </Page>
  )
}

function whoMayChange({ type }: Tool): string {
  return type === 'handoff' || type === 'internal' ? words.onlyWhoeverMadeItAdmins : words.onlyAdminsCanChange
}

interface FormOfProps {
  type: ToolType
  tool: Tool | undefined
  tools: readonly Tool[]
  agents: readonly Agent[]
  readOnly: boolean
}

function FormOf({ type, tool, tools, agents, readOnly }: FormOfProps) {
  const shared = { agents, readOnly, taken: tools.filter(({ id }) => id !== tool?.id).map(({ name }) => name) }
  switch (type) {
    case 'handoff':
      return <HandoffForm tool={of(tool, type)} {...{ tools, agents, readOnly }} />
    case 'http_api':
      return <HttpForm tool={of(tool, type)} {...shared} />
    case 'supabase_rpc':
      return <SupabaseForm tool={of(tool, type)} {...shared} />
    case 'internal':
      return <PresetForm tool={of(tool, type)} {...shared} />
    case 'mcp_server':
      return <ServerForm tool={of(tool, type)} {...shared} />
  }
}

function of<Type extends ToolType>(tool: Tool | undefined, type: Type): Extract<Tool, { type: Type }> | undefined {
  return tool?.type === type ? (tool as Extract<Tool, { type: Type }>) : undefined
}

function DeleteTool({ tool }: { tool: Tool }) {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  return (
    <>
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
      {opener && (
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
    </>
  )
}
