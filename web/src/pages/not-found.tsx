import { MapPinOff } from 'lucide-react'
import { Link } from 'wouter'
import { buttonClass } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { usePageTitle } from '@/hooks/use-browser'
import { HOME_PATH } from '@/lib/paths'
import { words } from '@/words/en/layout'

export default function NotFoundPage() {
  usePageTitle(words.notFound)
  return (
    <EmptyState
      icon={<MapPinOff className="size-6" />}
      heading="h1"
      title={words.nothingAtThisAddress}
      action={
        <Link to={HOME_PATH} className={buttonClass('secondary')}>
          {words.goToTheDashboard}
        </Link>
      }
    >
      {words.mayHaveBeenMoved}
    </EmptyState>
  )
}
