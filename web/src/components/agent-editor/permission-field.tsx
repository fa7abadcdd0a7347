import type { LocalAgent } from '@/api/types'
import type { AgentFormProps } from './agent-draft'
import { PERMISSION_MODES } from './permission-modes'

const MODES = Object.keys(PERMISSION_MODES) as LocalAgent['permission_mode'][]

/** When a person must approve what the agent does. */
export function PermissionField({ draft, change, problemWith, readOnly, isAdmin }: AgentFormProps & { isAdmin: boolean }) {
  const problem = problemWith('permission_mode')
  return (
    <fieldset name="permission_mode" tabIndex={-1} className="grid min-w-0 gap-1.5 outline-none" aria-describedby="permission-problem">
      <legend className="mb-1.5 text-sm font-medium">Permission mode</legend>
      <div className="grid gap-2">
        {MODES.map((mode) => (
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
              <span className="block font-medium">{PERMISSION_MODES[mode].label}</span>
              <span className="text-muted">{PERMISSION_MODES[mode].note}</span>
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
