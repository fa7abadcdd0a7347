import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { keys } from '@/api/query-client'
import { deleteWorkspace, workspaceExportUrl } from '@/api/workspaces'
import { SettingsSection } from '@/components/forms/settings-section'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { useWorkspace } from '@/hooks/use-workspace'
import { HOME_PATH } from '@/lib/paths'
import { notify } from '@/lib/toasts'
import { DataActions } from './data-actions'

/** For owners: everything in the workspace, as a file or gone. */
export function WorkspaceData() {
  const { id, name } = useWorkspace()
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  return (
    <SettingsSection
      title="Data"
      description="The export holds everything but other people’s conversations. Deleting the workspace deletes everything in it, for everyone."
    >
      <DataActions
        exportUrl={workspaceExportUrl(id)}
        exportLabel="Export workspace"
        deleteLabel="Delete workspace…"
        onDelete={setOpener}
      />
      {opener !== null && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          description="Its agents, teams, tools and all conversations go with it, for everyone. This can’t be undone."
          phrase={name}
          action="Delete workspace"
          opener={opener}
          onConfirm={async () => {
            await deleteWorkspace(id)
            notify(`${name} is deleted.`)
            navigate(HOME_PATH, { replace: true })
            await queryClient.invalidateQueries({ queryKey: keys.session })
          }}
          onClose={() => {
            setOpener(null)
          }}
        />
      )}
    </SettingsSection>
  )
}
