import { EyeOff } from 'lucide-react'
import { Link, useLocation, useParams, useSearch } from 'wouter'
import { addressOf, chosenIn, daysOf } from '@/components/analytics/figure-address'
import { FigureCard } from '@/components/analytics/figure-card'
import { FigureControls } from '@/components/analytics/figure-controls'
import { FigureStates } from '@/components/analytics/figure-states'
import { FigureView } from '@/components/analytics/figure-view'
import { PinButton } from '@/components/analytics/pin-button'
import { Page } from '@/components/layout/page'
import { EmptyState } from '@/components/ui/empty-state'
import { Section } from '@/components/ui/section'
import { type Figure, useFigure, useFigures } from '@/hooks/use-analytics'
import { useWorkspace } from '@/hooks/use-workspace'
import { today } from '@/lib/days'
import { words } from '@/words/en/analytics'
import { say } from '@/words/say'

export default function AnalyticsPage() {
  const { figure } = useParams()
  const workspace = useWorkspace()
  const figures = useFigures()
  if (figure === undefined) {
    return (
      <Page title={words.analytics} description={say(words.analyticsDescription, { workspace: workspace.name })}>
        <FigureStates query={figures}>{(all) => <AllFigures figures={all} />}</FigureStates>
      </Page>
    )
  }
  if (figures.data === undefined) {
    return (
      <Page title={words.analytics}>
        <FigureStates query={figures}>{() => null}</FigureStates>
      </Page>
    )
  }
  const found = figures.data.find(({ name }) => name === figure)
  if (found === undefined) {
    return (
      <EmptyState heading="h1" icon={<EyeOff className="size-6" />} title={words.noSuchFigure}>
        {words.noSuchFigureDescription}
      </EmptyState>
    )
  }
  return <OneFigure figure={found} figures={figures.data} />
}

function AllFigures({ figures }: { figures: readonly Figure[] }) {
  const areas = [...new Set(figures.map(({ area }) => area))]
  return (
    <div className="grid grid-cols-1 gap-8">
      {areas.map((area) => (
        <Section key={area} title={words.areas[area]}>
          <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
            {figures.filter((one) => one.area === area).map((one) => (
              <li key={one.name} className="grid">
                <FigureCard figure={one} />
              </li>
            ))}
          </ul>
        </Section>
      ))}
    </div>
  )
}

function OneFigure({ figure, figures }: { figure: Figure; figures: readonly Figure[] }) {
  const [, navigate] = useLocation()
  const chosen = chosenIn(useSearch())
  const query = useFigure(figure.name, { by: chosen.by, ...daysOf(chosen, today()) })
  const currencies = query.data?.totals.flatMap(({ currency }) => (currency === null ? [] : [currency])) ?? []
  return (
    <Page
      title={figure.label}
      description={
        <Link to="/analytics" className="underline-offset-4 hover:text-foreground hover:underline">
          {words.allFigures}
        </Link>
      }
      actions={<PinButton figure={figure} by={chosen.by} />}
    >
      <div className="mb-6">
        <FigureControls
          figure={figure.name}
          figures={figures}
          chosen={chosen}
          currencies={currencies}
          onFigure={(name) => {
            navigate(addressOf(name, { ...chosen, open: undefined }))
          }}
          onChange={(next) => {
            navigate(addressOf(figure.name, next))
          }}
        />
      </div>
      <FigureStates query={query}>
        {(answer) => (
          <FigureView
            answer={answer}
            chosen={chosen}
            onChange={(next) => {
              navigate(addressOf(figure.name, next))
            }}
          />
        )}
      </FigureStates>
    </Page>
  )
}
