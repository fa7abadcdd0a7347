// Two contacts that are the same person become one. What will be kept, what is filled in and what goes is shown before.
import { useMutation } from '@tanstack/react-query'
import { ArrowRightLeft } from 'lucide-react'
import { useState } from 'react'
import type { DataRow, Field, Kind } from '@/api/data'
import { messageOf } from '@/api/errors'
import { titleOf } from '@/components/data/columns'
import { ReferenceField } from '@/components/data/row-form'
import { valueWords } from '@/components/data/values'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { useRowAt } from '@/hooks/use-data'
import { useCountOf, useMergeContacts } from '@/hooks/use-sales'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/sales'
import { rich } from '@/words/rich'
import { say } from '@/words/say'
import { mergePreview } from './merge-preview'

interface MergeDialogProps {
  kind: Kind
  row: DataRow
  opener: HTMLElement | null
  onClose: () => void
  /** The change that takes it back, and what to say. */
  onMerged: (kept: string, change: string | undefined, said: string) => void
}

export function MergeDialog({ kind, row, opener, onClose, onMerged }: MergeDialogProps) {
  const [otherId, setOther] = useState('')
  const [isSwapped, setSwapped] = useState(false)
  const merge = useMergeContacts()
  const run = useMutation({
    mutationFn: ({ kept, gone }: { kept: DataRow; gone: DataRow }) => merge(kept.id, gone.id),
    onSuccess: (change, { kept, gone }) => {
      onMerged(kept.id, change, say(words.merged, { merged: titleOf(kind, gone), kept: titleOf(kind, kept) }))
    },
  })
  // Once it is merged it can't be read again.
  const { data: other } = useRowAt('contacts', otherId, { enabled: otherId !== '' && (run.isIdle || run.isError) })
  const [kept, gone] = other === undefined ? [row, undefined] : isSwapped ? [other, row] : [row, other]
  const field: Field = { ...(kind.fields[0] as Field), name: 'other', label: words.mergeWith, about: '', type: 'reference', refers: 'contacts', presence: 'required' }
  return (
    <Dialog
      title={say(words.mergeTitle, { name: titleOf(kind, row) })}
      description={words.mergeDescription}
      opener={opener}
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button
            pending={run.isPending}
            disabled={gone === undefined || gone.id === kept.id}
            onClick={() => {
              if (gone !== undefined) run.mutate({ kept, gone })
            }}
          >
            {words.doMerge}
          </Button>
        </>
      }
    >
      {run.isError && <Alert>{messageOf(run.error)}</Alert>}
      <ReferenceField
        field={field}
        name="other"
        value={otherId}
        problem={otherId === row.id ? words.sameContact : undefined}
        options={undefined}
        isFixed={false}
        onChange={setOther}
      />
      {gone !== undefined && gone.id !== kept.id && (
        <Preview
          kind={kind}
          kept={kept}
          gone={gone}
          onSwap={() => {
            setSwapped(!isSwapped)
          }}
        />
      )}
    </Dialog>
  )
}

function Preview({ kind, kept, gone, onSwap }: { kind: Kind; kept: DataRow; gone: DataRow; onSwap: () => void }) {
  const deals = useCountOf('deals', gone.id)
  const activities = useCountOf('activities', gone.id)
  const { stays, lost } = mergePreview(kind, kept, gone)
  const [keptName, goneName] = [titleOf(kind, kept), titleOf(kind, gone)]
  return (
    <div className="grid gap-3 rounded-lg border border-border p-4 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="min-w-0 wrap-anywhere">{rich(words.stays, { name: <strong dir="auto" className="font-semibold">{keptName}</strong> })}</p>
        <Button size="sm" variant="secondary" onClick={onSwap}>
          <ArrowRightLeft aria-hidden className="size-4" />
          {words.swap}
        </Button>
      </div>
      <dl className="grid gap-1.5">
        {stays.map(({ field, row, isFilled }) => (
          <div key={field.name} className="grid gap-x-4 sm:grid-cols-[7rem_minmax(0,1fr)]">
            <dt className="text-muted">{field.label}</dt>
            <dd dir="auto" className="line-clamp-3 whitespace-pre-wrap wrap-anywhere">
              {valueWords(field, row)}
              {isFilled && <span className="text-success"> {say(words.fromOther, { name: goneName })}</span>}
            </dd>
          </div>
        ))}
      </dl>
      {lost.length > 0 && <p className="text-muted wrap-anywhere">{say(words.lostFields, { name: goneName, fields: lost.map((field) => `${field.label} ${valueWords(field, gone)}`).join(', ') })}</p>}
      {((deals ?? 0) > 0 || (activities ?? 0) > 0) && (
        <ul className="list-inside list-disc text-muted">
          {(deals ?? 0) > 0 && <li>{say(words.movesDeals, { count: deals ?? 0 })}</li>}
          {(activities ?? 0) > 0 && <li>{say(words.movesActivities, { count: activities ?? 0 })}</li>}
        </ul>
      )}
    </div>
  )
}
