import type { ServerTool, ToolDifference } from '@/api/types'
import { Button } from '@/components/ui/button'
import { words } from '@/words/en/servers'
import { say } from '@/words/say'

interface ToolChangesProps {
  tool: ServerTool
  name: string
  isBusy: boolean
  onAllow: () => void
  onHoldBack: () => void
}

/** What a server says otherwise of a tool than when it was allowed: as it was, and as it is. */
export function ToolChanges({ tool, name, isBusy, onAllow, onHoldBack }: ToolChangesProps) {
  return (
    <div role="group" aria-label={say(words.changesOfName, { name })} className="grid min-w-0 grid-cols-1 gap-3 rounded-lg border border-warning/40 bg-warning-subtle/50 p-3 sm:p-4">
      <p className="text-sm">{words.heldBack}</p>
      <dl className="grid min-w-0 grid-cols-1 gap-3">
        {tool.differences.map((difference) => (
          <div key={difference.at} className="min-w-0">
            <dt className="mb-1 text-xs font-medium text-muted wrap-anywhere">{placeWords(difference.at)}</dt>
            <dd className="grid min-w-0 grid-cols-1 overflow-hidden rounded-md border border-border bg-surface font-mono text-xs leading-5">
              <Value of={difference} side="was" />
              <Value of={difference} side="is" />
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" disabled={isBusy} aria-label={say(words.allowAgainName, { name })} onClick={onAllow}>
          {words.allowAgain}
        </Button>
        <Button variant="secondary" size="sm" disabled={isBusy} aria-label={say(words.dropName, { name })} onClick={onHoldBack}>
          {words.drop}
        </Button>
      </div>
    </div>
  )
}

function Value({ of, side }: { of: ToolDifference; side: 'was' | 'is' }) {
  // What wasn't there has no key: null is a value like any other.
  if (!(side in of)) return null
  const value = of[side]
  const [Tag, sign, look, label] =
    side === 'was' ? (['del', '−', 'bg-danger-subtle text-danger', words.before] as const) : (['ins', '+', 'bg-success-subtle text-success', words.now] as const)
  return (
    <div className={`flex gap-2 px-2.5 py-1.5 ${look}`}>
      <span className="sr-only">{label}</span>
      <span aria-hidden className="select-none">
        {sign}
      </span>
      <Tag dir="auto" className="min-w-0 whitespace-pre-wrap no-underline wrap-anywhere">
        {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
      </Tag>
    </div>
  )
}

/** The place of a value as people would name it: `/input_schema/properties/path/type` is "Parameter path: type". */
export function placeWords(at: string): string {
  const steps = at.split('/').slice(1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const [part, ...rest] = steps
  if (part === 'description') return words.places.description
  if (part === 'annotations') return say(words.places.annotation, { what: rest.join(' ').replaceAll('_', ' ') })
  if (rest[0] === 'properties' && rest[1] !== undefined) {
    const within = rest.slice(2).filter((step) => step !== 'properties')
    return within.length === 0 ? say(words.places.parameter, { name: rest[1] }) : say(words.places.withinParameter, { name: rest[1], what: within.join(' › ') })
  }
  if (rest[0] === 'required') return words.places.required
  return rest.length === 0 ? words.places.parameters : say(words.places.ofParameters, { what: rest.join(' › ') })
}
