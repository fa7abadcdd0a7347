import { clsx } from 'clsx'
import { Link } from 'wouter'
import { Page } from '@/components/layout/page'
import { WAYS } from '@/components/tools/tool-kinds'
import { BackLink } from '@/components/ui/text-link'
import { usePermissions } from '@/hooks/use-permissions'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/tools'

/** What a new tool shall be. */
export default function NewToolPage() {
  const { isAdmin } = usePermissions()
  return (
    <Page title={words.newTool} description={<BackLink to="/agents/tools">{common.tools}</BackLink>}>
      <ul className="grid grid-cols-1 gap-3 sm:grid-cols-2 sm:gap-4">
        {WAYS.map(({ slug, icon: Icon, isForAdmins }) => {
          const isOpen = isAdmin || !isForAdmins
          const about = (
            <>
              <span
                aria-hidden
                className="flex size-10 shrink-0 items-center justify-center rounded-lg bg-brand-subtle text-brand"
              >
                <Icon className="size-5" />
              </span>
              <span className="min-w-0">
                <span className="block font-medium">{words.ways[slug].title}</span>
                <span className="mt-0.5 block text-sm text-pretty text-muted">{words.ways[slug].about}</span>
                {!isOpen && <span className="mt-1.5 block text-xs text-muted">{words.forAdminsAndOwners}</span>}
              </span>
            </>
          )
          const look = 'flex h-full gap-4 rounded-lg border border-border p-4 sm:p-5'
          return (
            <li key={slug}>
              {isOpen ? (
                <Link to={`/agents/tools/new/${slug}`} className={clsx(look, 'bg-surface transition-colors hover:border-control')}>
                  {about}
                </Link>
              ) : (
                <div className={clsx(look, 'border-dashed')}>{about}</div>
              )}
            </li>
          )
        })}
      </ul>
    </Page>
  )
}
