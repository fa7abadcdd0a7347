import { Link } from 'wouter'
import { useModels } from '@/hooks/use-server'
import { usePermissions } from '@/hooks/use-permissions'
import { useSession } from '@/hooks/use-session'
import { words } from '@/words/en/chat-on-demand'

/** Says for as long as it is so that nobody real answers: the built-in model stands in until a key is set up. */
export function DemoModelNote() {
  const { data: models } = useModels()
  const { isAdmin } = usePermissions()
  const { profile } = useSession()
  if (models?.demo !== true) return null
  return (
    <p className="mt-1.5 -mb-1.5 text-center text-xs text-muted sm:-mb-2">
      {words.demoModel}
      {(isAdmin || profile.is_admin) && (
        <>
          {' '}
          <Link to={profile.is_admin ? '/administration/models' : '/settings/models'} className="font-medium text-foreground underline decoration-control underline-offset-4 hover:decoration-foreground">
            {words.setUpModels}
          </Link>
        </>
      )}
    </p>
  )
}
