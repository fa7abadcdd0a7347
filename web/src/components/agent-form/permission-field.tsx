import type { LocalAgent } from '@/api/types'
import type { AgentFormProps } from './agent-draft'

type PermissionMode = LocalAgent['permission_mode']

const MODES: { mode: PermissionMode; label: string; note: string }[] = [
  { mode: 'default', label: 'Ask before changes', note: 'A person approves every tool call that writes.' },
  { mode: 'acceptEdits', label: 'Ask before reaching outside', note: 'Changes inside the workspace need no approval.' },
  { mode: 'bypassPermissions', label: 'Never ask', note: 'It acts by itself. Only admins and owners can set this.' },
]

/** When a person must approve what the agent does. */
export function PermissionField({ draft, change, problemWith, readOnly, isAdmin }: AgentFormProps & { isAdmin: boolean }) {
  const problem = problemWith('permission_mode')
  return (
    <fieldset name="permission_mode" tabIndex={-1} className="grid min-w-0 gap-1.5 outline-none" aria-describedby="permission-problem">
      <legend className="mb-1.5 text-sm font-medium">Permission mode</legend>
      <div className="grid gap-2">
        {MODES.map(({ mode, label, note }) => (
          <label
            key={mode}
            className="flex items-start gap-3 rounded-lg border border-border p-3 text-sm has-checked:border-brand has-checked:bg-brand-subtle"
          >
            <input
              type="radio"
              name="permission-mode-choice"
              checked={draft.permission_mode === mode}
              disabled={readOnly || (mode === 'bypassPermissions' && !isAdmin)}
              className="mt-0.5 size-4 shrink-0 accent-primary"
              onChange={() => {
                change({ permission_mode: mode })
              }}
            />
            <span>
              <span className="block font-medium">{label}</span>
              <span className="text-muted">{note}</span>
            </span>
          </label>
        ))}
      </div>
      <p id="permission-problem" className="text-sm text-danger">
        {problem}
      </p>
    </fieldset>
  )
}
