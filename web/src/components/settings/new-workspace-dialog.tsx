import { useQueryClient } from '@tanstack/react-query'
import { keys } from '@/api/query-client'
import { useForm } from '@/components/forms/use-form'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { FormField } from '@/components/ui/fields'
import { useEnterWorkspace } from '@/hooks/use-workspace'
import { createWorkspace } from '@/hooks/use-workspace-settings'
import { notify } from '@/lib/toasts'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/new-workspace'
import { say } from '@/words/say'

interface NewWorkspaceDialogProps {
  opener: HTMLElement | null
  onClose: () => void
}

export default function NewWorkspaceDialog({ opener, onClose }: NewWorkspaceDialogProps) {
  const queryClient = useQueryClient()
  const enter = useEnterWorkspace()
  const form = useForm<'name'>(async ({ name }) => {
    const workspace = await createWorkspace(name)
    await queryClient.invalidateQueries({ queryKey: keys.session })
    notify(say(words.nameIsReady, { name: workspace.name }))
    onClose()
    enter(workspace.id)
  })
  return (
    <Dialog
      opener={opener}
      onClose={onClose}
      title={words.createAWorkspace}
      description={words.createAWorkspaceDescription}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" form="new-workspace" pending={form.pending}>
            {words.createWorkspace}
          </Button>
        </>
      }
    >
      <form id="new-workspace" noValidate onSubmit={form.onSubmit} className="grid gap-4">
        {form.problem !== undefined && <Alert>{form.problem}</Alert>}
        <FormField label={common.name} name="name" required maxLength={100} autoComplete="organization" problem={form.problemWith('name')} />
      </form>
    </Dialog>
  )
}
