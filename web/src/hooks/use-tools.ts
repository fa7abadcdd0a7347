import { useQuery } from '@tanstack/react-query'
import { keys } from '@/api/query-client'
import { fetchTools } from '@/api/tools'
import type { ToolList } from '@/api/types'
import { useWorkspace } from './use-workspace'

const defined = (list: ToolList) => list.tools
const builtIn = (list: ToolList) => list.built_in

/** The tools that people of the workspace defined. */
export function useTools() {
  return useToolList(defined)
}

/** The tools that Baton has itself, whether they can run yet or not. */
export function useBuiltInTools() {
  return useToolList(builtIn)
}

function useToolList<Part>(select: (list: ToolList) => Part) {
  const workspace = useWorkspace()
  return useQuery({
    queryKey: keys.tools(workspace.id),
    queryFn: ({ signal }) => fetchTools(workspace.id, signal),
    select,
  })
}
