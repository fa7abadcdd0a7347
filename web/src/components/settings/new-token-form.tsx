import { useQueryClient } from '@tanstack/react-query'
import { keys } from '@/api/query-client'
import { type CreatedToken, createToken } from '@/api/tokens'
import { NAME_MISSING, problemsOf } from '@/components/forms/checks'
import { useDraft } from '@/components/forms/use-draft'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { SelectField } from '@/components/ui/select-field'
import { TextField } from '@/components/ui/text-field'
import { useSession } from '@/hooks/use-session'
import { useWorkspace } from '@/hooks/use-workspace'

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
