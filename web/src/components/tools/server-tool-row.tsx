import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { ServerTool } from '@/api/types'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { words } from '@/words/en/servers'
import { say } from '@/words/say'
import { ToolChanges } from './tool-changes'
import { TryTool } from './try-tool'

interface ServerToolRowProps {
  serverId: string
  tool: ServerTool
  isBusy: boolean
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  onAllow: () => void
  onHoldBack: () => void
}

const TONES: Record<ServerTool['state'], BadgeTone> = { allowed: 'success', new: 'info', changed: 'warning', gone: 'dashed' }

/** One tool of a server: what it does, what became of it since it was allowed, and a way to try it. */
export function ServerToolRow({ serverId, tool, isBusy, isChosen, onChoose, onAllow, onHoldBack }: ServerToolRowProps) {
  const { raw_name, title, description, state, name, parameters } = tool
  const [isOpen, setIsOpen] = useState(false)
  const shownName = title ?? raw_name
  return (
    <li className="grid grid-cols-1 gap-3 px-3 py-3 sm:px-4">
      <div className="flex items-start gap-3">
        {state === 'new' && (
          <Checkbox
            className="mt-0.5"
            aria-label={say(words.chooseName, { name: shownName })}
            checked={isChosen}
            onChange={({ target }) => {
              onChoose(target.checked)
            }}
          />
        )}
        <div className="min-w-0 grow">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
            <span className="wrap-anywhere">{shownName}</span>
            <Badge tone={TONES[state]}>{words.states[state]}</Badge>
          </p>
          <p dir="auto" className="mt-0.5 line-clamp-3 text-sm text-muted wrap-anywhere">
            {description === '' ? words.noDescription : description}
          </p>
        </div>
        <div className="flex shrink-0 gap-2">
          {(state === 'allowed' || state === 'gone') && (
            <Button variant="secondary" size="sm" disabled={isBusy} aria-label={say(state === 'gone' ? words.forgetName : words.holdBackName, { name: shownName })} onClick={onHoldBack}>
              {state === 'gone' ? words.forget : words.holdBack}
            </Button>
          )}
        </div>
      </div>
      {state === 'changed' && <ToolChanges tool={tool} name={shownName} isBusy={isBusy} onAllow={onAllow} onHoldBack={onHoldBack} />}
      {state !== 'gone' && (
        <div className="min-w-0">
          <button
            type="button"
            aria-expanded={isOpen}
            className="-ml-1 inline-flex min-h-6 items-center gap-1 rounded-sm px-1 text-sm font-medium text-muted hover:text-foreground"
            onClick={() => {
              setIsOpen(!isOpen)
            }}
          >
            <ChevronRight aria-hidden className={isOpen ? 'size-4 rotate-90 transition-transform' : 'size-4 transition-transform'} />
            {words.tryIt}
            <span className="sr-only">{say(words.ofName, { name: shownName })}</span>
          </button>
          {isOpen && (
            <div className="mt-3 grid grid-cols-1 gap-3 rounded-lg bg-subtle/60 p-3 sm:p-4">
              <p className="text-xs text-muted wrap-anywhere">{say(words.modelsCallIt, { name })}</p>
              <TryTool key={JSON.stringify(parameters)} toolId={serverId} rawName={raw_name} name={shownName} schema={parameters} />
            </div>
          )}
        </div>
      )}
    </li>
  )
}
