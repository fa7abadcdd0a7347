// What can be done with a contact beside editing it: whether it is a lead, merging it, deleting it.
import { useMutation } from '@tanstack/react-query'
import { Merge, MoreHorizontal, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { DataRow, Kind } from '@/api/data'
import { messageOf } from '@/api/errors'
import { choiceWords, textOf } from '@/components/data/values'
import { Button } from '@/components/ui/button'
import { DropdownMenu, MenuItem } from '@/components/ui/dropdown-menu'
import { SelectField } from '@/components/ui/fields'
import { useRowActions } from '@/hooks/use-data'
import { notify } from '@/lib/toasts'
import { words as data } from '@/words/en/data'
import { words } from '@/words/en/sales'
import { say } from '@/words/say'

export function StatusSelect({ row, kind }: { row: DataRow; kind: Kind }) {
  const { change } = useRowActions('contacts')
  const statuses = kind.fields.find(({ name }) => name === 'status')?.choices ?? []
  const set = useMutation({
    mutationFn: (status: string) => change(row, { status: status === '' ? null : status }),
    onSuccess: () => {
      notify(words.statusIsSet)
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  return (
    <SelectField
      label={words.status}
      labelHidden
      value={set.isPending ? set.variables : textOf(row.fields.status)}
      onChange={(status) => {
        set.mutate(status)
      }}
    >
      <option value="">{words.noLead}</option>
      {statuses.map((status) => (
        <option key={status} value={status}>
          {choiceWords(status)}
        </option>
      ))}
    </SelectField>
  )
}

export function ContactMenu({ name, row, onMerge }: { name: string; row: DataRow; onMerge: (opener: HTMLElement | null) => void }) {
  const { remove } = useRowActions('contacts')
  const [, navigate] = useLocation()
  const [trigger, setTrigger] = useState<HTMLElement | null>(null)
  const gone = useMutation({
    mutationFn: () => remove(row.id),
    onSuccess: () => {
      notify(say(data.oneIsDeleted, { title: name }))
      navigate('/sales/contacts')
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  return (
    <DropdownMenu
      align="end"
      trigger={
        <Button ref={setTrigger} variant="secondary" size="icon" className="size-10!" aria-label={say(words.more, { name })}>
          <MoreHorizontal aria-hidden className="size-4" />
        </Button>
      }
    >
      <MenuItem
        onSelect={() => {
          onMerge(trigger)
        }}
      >
        <Merge aria-hidden className="size-4" />
        {words.merge}
      </MenuItem>
      <MenuItem
        onSelect={() => {
          gone.mutate()
        }}
      >
        <Trash2 aria-hidden className="size-4" />
        {data.delete}
      </MenuItem>
    </DropdownMenu>
  )
}
