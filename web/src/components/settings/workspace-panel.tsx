import { SectionQuery } from '@/components/forms/section-query'
import { usePermissions } from '@/hooks/use-permissions'
import { useWorkspace } from '@/hooks/use-workspace'
import { useWorkspaceSettings } from '@/hooks/use-workspace-settings'
import { WorkspaceData } from './workspace-data'
import { WorkspaceForm } from './workspace-form'

export function WorkspacePanel() {
  const query = useWorkspaceSettings()
  const { id, role } = useWorkspace()
  const { isAdmin } = usePermissions()
  return (
    <SectionQuery query={query} what="workspace">
      {(settings) => (
        <>
          <WorkspaceForm key={id} settings={settings} readOnly={!isAdmin} />
          {role === 'owner' && <WorkspaceData />}
        </>
      )}
    </SectionQuery>
  )
}
