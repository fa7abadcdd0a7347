import { FieldFrame } from '@/components/ui/fields'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { type Figure, GRAINS } from '@/hooks/use-analytics'
import { today } from '@/lib/days'
import { words } from '@/words/en/analytics'
import { type Chosen, daysOf, PERIODS } from './figure-address'

interface FigureControlsProps {
  figure: string
  figures: readonly Figure[]
  chosen: Chosen
  currencies: readonly string[]
  onFigure: (name: string) => void
  onChange: (next: Chosen) => void
}

/** What is looked at: which figure, in which buckets, over which days. */
export function FigureControls({ figure, figures, chosen, currencies, onFigure, onChange }: FigureControlsProps) {
  const areas = [...new Set(figures.map(({ area }) => area))]
  // Another look closes what was open in this one.
  const change = (part: Partial<Chosen>) => {
    onChange({ ...chosen, open: undefined, ...part })
  }
  return (
    <div className="flex flex-wrap items-end gap-3">
      <FieldFrame label={words.figure} className="w-full sm:w-56">
        {(control) => (
          <Select
            {...control}
            value={figure}
            onChange={(event) => {
              onFigure(event.target.value)
            }}
          >
            {areas.map((area) => (
              <optgroup key={area} label={words.areas[area]}>
                {figures.filter((one) => one.area === area).map(({ name, label }) => (
                  <option key={name} value={name}>{label}</option>
                ))}
              </optgroup>
            ))}
          </Select>
        )}
      </FieldFrame>
      <FieldFrame label={words.by} className="w-28 max-sm:grow">
        {(control) => (
          <Select
            {...control}
            value={chosen.by}
            onChange={(event) => {
              const by = GRAINS.find((one) => one === event.target.value)
              if (by !== undefined) change({ by })
            }}
          >
            {GRAINS.map((grain) => (
              <option key={grain} value={grain}>{words.grains[grain]}</option>
            ))}
          </Select>
        )}
      </FieldFrame>
      <FieldFrame label={words.period} className="w-44 max-sm:grow">
        {(control) => (
          <Select
            {...control}
            value={chosen.period}
            onChange={(event) => {
              const period = PERIODS.find((one) => one === event.target.value) ?? 'usual'
              // Chosen days begin with what was looked at.
              const { from, to } = daysOf(chosen, today())
              change({ period, from: from ?? `${today().slice(0, 4)}-01-01`, to: to ?? today() })
            }}
          >
            {PERIODS.map((period) => (
              <option key={period} value={period}>{words.periods[period]}</option>
            ))}
          </Select>
        )}
      </FieldFrame>
      {chosen.period === 'custom' &&
        (['from', 'to'] as const).map((end) => (
          <FieldFrame key={end} label={end === 'from' ? words.firstDay : words.lastDay} className="w-40 max-sm:grow">
            {(control) => (
              <Input
                {...control}
                type="date"
                value={chosen[end] ?? ''}
                onChange={(event) => {
                  if (event.target.value !== '') change({ [end]: event.target.value })
                }}
              />
            )}
          </FieldFrame>
        ))}
      {currencies.length > 1 && (
        <FieldFrame label={words.currency} className="w-28 max-sm:grow">
          {(control) => (
            <Select
              {...control}
              value={chosen.currency ?? currencies[0]}
              onChange={(event) => {
                change({ currency: event.target.value })
              }}
            >
              {currencies.map((code) => (
                <option key={code} value={code}>{code}</option>
              ))}
            </Select>
          )}
        </FieldFrame>
      )}
    </div>
  )
}
