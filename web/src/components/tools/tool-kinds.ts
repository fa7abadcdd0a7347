// The ways to a new tool: how the address names them, and for whom they are.
import { ArrowRightLeft, Database, FileJson2, Globe, type LucideIcon, Plug, SlidersHorizontal } from 'lucide-react'
import type { ToolType } from '@/api/types'

interface Way {
  /** In the address, and in the catalog of words. */
  slug: 'server' | 'api' | 'openapi' | 'handoff' | 'preset' | 'supabase'
  icon: LucideIcon
  /** What comes of it. */
  type: ToolType
  /** It reaches outside, so it is for admins and owners. */
  isForAdmins: boolean
}

export const WAYS: readonly Way[] = [
  { slug: 'server', icon: Plug, type: 'mcp_server', isForAdmins: true },
  { slug: 'api', icon: Globe, type: 'http_api', isForAdmins: true },
  { slug: 'openapi', icon: FileJson2, type: 'http_api', isForAdmins: true },
  { slug: 'handoff', icon: ArrowRightLeft, type: 'handoff', isForAdmins: false },
  { slug: 'preset', icon: SlidersHorizontal, type: 'internal', isForAdmins: false },
  { slug: 'supabase', icon: Database, type: 'supabase_rpc', isForAdmins: true },
]
