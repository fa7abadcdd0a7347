import { Link } from 'wouter'
import { Section } from '@/components/ui/section'
import { usePins } from '@/hooks/use-analytics'
import { words } from '@/words/en/analytics'
import { FigureCard } from './figure-card'

/** What the workspace pinned; nothing where it pinned nothing. */
export default function PinnedSection() {
  const { data: pins = [] } = usePins()
  if (pins.length === 0) return null
  return (
    <Section
      title={words.pinnedFigures}
      action={
        <Link to="/analytics" className="text-sm font-medium text-brand underline-offset-4 hover:underline">
          {words.allFigures}
        </Link>
      }
    >
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {pins.map(({ figure, by }) => (
          <li key={figure.name} className="grid">
            <FigureCard figure={figure} by={by} />
          </li>
        ))}
      </ul>
    </Section>
  )
}
