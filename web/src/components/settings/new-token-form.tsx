import { useQueryClient } from '@tanstack/react-query'
import { keys } from '@/api/query-client'
import { createToken, type CreatedToken } from '@/api/tokens'
import { useDraft } from '@/hooks/use-draft'
import { useSession } from '@/hooks/use-session'
import { useWorkspace } from '@/hooks/use-workspace'
import { Alert } from '../ui/alert'
import { Button } from '../ui/button'
import { SelectField } from '../ui/select-field'
import { TextField } from '../ui/text-field'
import { NAME_MISSING, problemsOf } from './checks'

export function NewTokenForm({ onCreated }: { onCreated: (token: CreatedToken) => void }) {
  const { workspaces } = useSession()
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const form = useDraft({
    saved: { name: '', workspaceId: workspace.id },
    check: ({ name }) => problemsOf({ name: name.trim() === '' && NAME_MISSING }),
    save: async (draft) => {
      onCreated(await createToken(draft))
      form.reset({ ...draft, name: '' })
      await queryClient.invalidateQueries({ queryKey: keys.tokens })
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid gap-5">
      {form.problem !== undefined && <Alert>{form.problem}</Alert>}
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="Name"
          name="name"
          maxLength={100}
          placeholder="Nightly report"
          value={form.draft.name}
          problem={form.problemWith('name')}
          onChange={(name) => {
            form.change({ name })
          }}
        />
        <SelectField
          label="Workspace"
          name="workspaceId"
          value={form.draft.workspaceId}
          problem={form.problemWith('workspaceId')}
          onChange={(workspaceId) => {
            form.change({ workspaceId })
          }}
        >
          {workspaces.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="flex">
        <Button type="submit" pending={form.pending}>
          Create token
        </Button>
      </div>
    </form>
  )
}
