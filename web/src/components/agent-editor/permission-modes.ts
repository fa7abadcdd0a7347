import type { LocalAgent } from '@/api/types'

type PermissionMode = LocalAgent['permission_mode']

export const PERMISSION_MODES: Record<PermissionMode, { label: string; note: string }> = {
  default: { label: 'Ask before changes', note: 'A person approves every tool call that writes.' },
  acceptEdits: { label: 'Ask before reaching outside', note: 'Changes inside the workspace need no approval.' },
  bypassPermissions: { label: 'Never ask', note: 'It acts by itself. Only admins and owners can set this.' },
}
