import { useMutation } from '@tanstack/react-query'
import { ArrowRightLeft, Split } from 'lucide-react'
import { useState } from 'react'
import type { DataRow } from '@/api/data'
import { messageOf } from '@/api/errors'
import type { Option } from '@/components/data/combobox'
import { Button } from '@/components/ui/button'
import { useMoneyActions } from '@/hooks/use-money'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/money'
import { SplitDialog } from './split-dialog'
import { isTransfer } from './transaction-cells'

interface TransactionActionsProps {
  row: DataRow
  title: string
  categories: readonly Option[]
  onDone: () => void
}

/** What else can be done with one transaction. */
export function TransactionActions({ row, title, categories, onDone }: TransactionActionsProps) {
  const { unmarkTransfer, markTransfer } = useMoneyActions()
  const [opener, setOpener] = useState<HTMLElement>()
  const isMarked = isTransfer(row)
  const mark = useMutation({
    mutationFn: () => (isMarked ? unmarkTransfer(row.id) : markTransfer([row.id])),
    onSuccess: () => {
      notify(isMarked ? words.unmarked : words.markedAsTransfer)
      onDone()
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="sm"
        variant="secondary"
        onClick={(event) => {
          setOpener(event.currentTarget)
        }}
      >
        <Split aria-hidden className="size-4" />
        {row.fields.is_split === true ? words.changeSplit : words.splitButton}
      </Button>
      <Button
        size="sm"
        variant="secondary"
        pending={mark.isPending}
        onClick={() => {
          mark.mutate()
        }}
      >
        <ArrowRightLeft aria-hidden className="size-4" />
        {isMarked ? words.notATransfer : words.markAsTransfer}
      </Button>
      {opener !== undefined && (
        <SplitDialog
          row={row}
          title={title}
          categories={categories}
          opener={opener}
          onClose={() => {
            setOpener(undefined)
          }}
        />
      )}
    </div>
  )
}
