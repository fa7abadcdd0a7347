import { type CreatedInvitation, createInvitation, type Role } from '@/api/members'
import { isEmail, NO_ADDRESS, problemsOf } from '@/components/forms/checks'
import { useDraft } from '@/components/forms/use-draft'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { SelectField } from '@/components/ui/select-field'
import { TextField } from '@/components/ui/text-field'
import { useRefreshPeople } from '@/hooks/use-members'
import { useWorkspace } from '@/hooks/use-workspace'
import { ROLES, rolesToGive } from './roles'

export function InviteForm({ onCreated }: { onCreated: (invitation: CreatedInvitation) => void }) {
  const workspace = useWorkspace()
  const refresh = useRefreshPeople()
  const form = useDraft<{ email: string; role: Role }>({
    saved: { email: '', role: 'member' },
    check: ({ email }) => problemsOf({ email: email !== '' && !isEmail(email) && NO_ADDRESS }),
    save: async ({ email, role }) => {
      onCreated(await createInvitation(workspace.id, { email: email.trim(), role }))
      form.reset({ email: '', role })
      await refresh()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid gap-5">
      {form.problem !== undefined && <Alert>{form.problem}</Alert>}
      <div className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          maxLength={254}
          placeholder="Anyone with the link"
          hint="Optional: then only this address can accept."
          value={form.draft.email}
          problem={form.problemWith('email')}
          onChange={(email) => {
            form.change({ email })
          }}
        />
        <SelectField
          label="Role"
          name="role"
          value={form.draft.role}
          problem={form.problemWith('role')}
          onChange={(role) => {
            form.change({ role: role as Role })
          }}
        >
          {rolesToGive(workspace.role).map((role) => (
            <option key={role} value={role}>
              {ROLES[role]}
            </option>
          ))}
        </SelectField>
      </div>
      <div className="flex">
        <Button type="submit" pending={form.pending}>
          Create invitation
        </Button>
      </div>
    </form>
  )
}
