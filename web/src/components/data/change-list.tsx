// What was changed, by whom, and the way back: a person, or an agent in a conversation that one can open, and who approved it.
import { useMutation } from '@tanstack/react-query'
import { Bot, Undo2, UserRound } from 'lucide-react'
import { Link } from 'wouter'
import type { DataChange, Kind } from '@/api/data'
import { messageOf } from '@/api/errors'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { useRowTitle, useUndo } from '@/hooks/use-data'
import { useMembers } from '@/hooks/use-members'
import { notify } from '@/lib/toasts'
import { ago, dateAndTime } from '@/lib/when'
import { useAgents } from '@/providers/agents-provider'
import { words } from '@/words/en/data'
import { rich } from '@/words/rich'
import { say } from '@/words/say'
import { differences, titlesIn, type ToldValue } from './differences'
import type { Choices } from './row-form'

interface ChangeListProps {
  changes: readonly DataChange[]
  kinds: readonly Kind[]
  choices: Choices
  /** Whether the row is named: not where all are of one row. */
  namesRow: boolean
  mayUndo: boolean
}

export function ChangeList({ changes, kinds, choices, namesRow, mayUndo }: ChangeListProps) {
  const titles = titlesIn(kinds, changes)
  return (
    <ol className="divide-y divide-border">
      {changes.flatMap((change) => {
        const kind = kinds.find(({ name }) => name === change.kind)
        if (kind === undefined) return []
        return (
          <ChangeItem
            key={change.id}
            change={change}
            kind={kind}
            choices={choices}
            title={titles.get(change.row_id)}
            namesRow={namesRow}
            mayUndo={mayUndo}
          />
        )
      })}
    </ol>
  )
}

interface ChangeItemProps {
  change: DataChange
  kind: Kind
  choices: Choices
  /** What the row is called, if the changes tell it. */
  title: string | undefined
  namesRow: boolean
  mayUndo: boolean
}

export function ChangeItem({ change, kind, choices, title: told, namesRow, mayUndo }: ChangeItemProps) {
  const { action, is_undone, undoes, created_at, agent_id } = change
  const found = useRowTitle(kind.name, change.row_id, namesRow && told === undefined)
  const title = told ?? found
  const undo = useUndo()
  const run = useMutation({
    mutationFn: () => undo([change.id]),
    onSuccess: () => {
      notify(words.takenBackNow)
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  const Icon = agent_id === null ? UserRound : Bot
  const did = undoes === null ? words.actions[action] : words.tookBack
  const values = differences(kind, change, choices)
  return (
    <li className="flex gap-3 py-3 text-sm first:pt-0 last:pb-0">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <div className="min-w-0 grow">
        <p className="wrap-anywhere">
          {!namesRow
            ? did
            : title === undefined
              ? say(words.didToOne, { did, one: kind.one })
              : rich(words.didToNamed, { did, one: kind.one, title: <span dir="auto" className="font-medium">{title}</span> })}
        </p>
        {values.length > 0 && (
          <dl className="mt-0.5 grid gap-0.5">
            {values.map(({ label, old, next }) => (
              <div key={label} className="flex flex-wrap gap-x-2">
                <dt className="text-muted">{label}</dt>
                <dd dir="auto" className="min-w-0 wrap-anywhere">
                  {old !== '' && (
                    <>
                      <del className="text-muted decoration-control">
                        <Told value={old} />
                      </del>
                      {' → '}
                    </>
                  )}
                  {next === '' ? words.nothing : <Told value={next} />}
                </dd>
              </div>
            ))}
          </dl>
        )}
        <p className="mt-0.5 text-muted">
          <WhoDidIt change={change} /> ·{' '}
          <time dateTime={created_at} title={dateAndTime(created_at)}>
            {ago(created_at)}
          </time>
        </p>
      </div>
      {is_undone ? (
        <Badge className="self-start">{words.takenBack}</Badge>
      ) : (
        mayUndo && (
          <Button
            size="sm"
            variant="ghost"
            className="-my-1 self-start"
            pending={run.isPending}
            aria-label={say(words.undoChange, { did, title: title ?? kind.one })}
            onClick={() => {
              run.mutate()
            }}
          >
            <Undo2 aria-hidden className="size-4" />
            {words.undo}
          </Button>
        )
      )}
    </li>
  )
}

/** A value in words; of a row that nobody has named yet, its name is asked for. */
function Told({ value }: { value: ToldValue }) {
  return typeof value === 'string' ? value : <RowName {...value} />
}

function RowName({ kind, id }: { kind: string; id: string }) {
  return useRowTitle(kind, id, true) ?? words.gone
}

/** A person; or an agent for a person, with the conversation in which it did so, and who approved it. */
export function WhoDidIt({ change: { profile_id, agent_id, conversation_id, approved_by } }: { change: Pick<DataChange, 'profile_id' | 'agent_id' | 'conversation_id' | 'approved_by'> }) {
  const { data: members } = useMembers()
  const { getLocalAgentById } = useAgents()
  const nameOf = (id: string | null) => members?.find((member) => member.profile_id === id)?.name ?? words.someoneWhoLeft
  const person = nameOf(profile_id)
  if (agent_id === null) return rich(words.byPerson, { person })
  const agent = (
    <Link
      to={`/agents/${agent_id}?conversation=${conversation_id ?? ''}`}
      className="rounded-sm text-foreground underline decoration-control underline-offset-4 hover:decoration-foreground"
    >
      {getLocalAgentById(agent_id)?.name ?? words.anAgentThatIsGone}
    </Link>
  )
  if (approved_by === null) return rich(words.byAgent, { agent, person })
  return rich(words.byAgentApproved, { agent, person, approver: nameOf(approved_by) })
}
