import { MapPinOff } from 'lucide-react'
import { Link } from 'wouter'
import { buttonClass } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { usePageTitle } from '@/hooks/use-browser'
import { HOME_PATH } from '@/lib/paths'

export default function NotFoundPage() {
  usePageTitle('Not found')
  return (
    <EmptyState
      icon={<MapPinOff className="size-6" />}
      heading="h1"
      title="There is nothing at this address"
      action={
        <Link to={HOME_PATH} className={buttonClass('secondary')}>
          Go to the dashboard
        </Link>
      }
    >
      It may have been moved or deleted, or the link has a typo.
    </EmptyState>
  )
}
