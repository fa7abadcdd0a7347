import { ArrowRightLeft, Tag, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { messageOf } from '@/api/errors'
import { Combobox, type Option } from '@/components/data/combobox'
import { SelectionBar } from '@/components/data/selection-bar'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { useRowActions } from '@/hooks/use-data'
import { useMoneyActions } from '@/hooks/use-money'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/money'
import { say } from '@/words/say'

interface SelectedTransactionsProps {
  selection: { ids: ReadonlySet<string>; clear: () => void }
  categories: readonly Option[]
}

/** What can be done with all that are selected. */
export function SelectedTransactions({ selection: { ids, clear }, categories }: SelectedTransactionsProps) {
  const { categorise, markTransfer, removeAll } = useMoneyActions()
  const { makeNamed } = useRowActions('transactions')
  const [isChoosing, setChoosing] = useState(false)
  const [opener, setOpener] = useState<HTMLElement>()
  const chooser = useRef<HTMLButtonElement>(null)
  const chosen = [...ids]
  const run = (action: Promise<unknown>, said: string) => {
    action.then(
      () => {
        notify(said)
        clear()
      },
      (error: unknown) => {
        notify(messageOf(error), 'error')
      },
    )
  }
  const give = (category: Promise<string | null>) => {
    setChoosing(false)
    run(category.then((id) => categorise(chosen, id)), say(words.categorised, { count: chosen.length }))
  }
  const button = (
    <Button
      ref={chooser}
      size="sm"
      variant="secondary"
      onClick={() => {
        setChoosing(true)
      }}
    >
      <Tag aria-hidden className="size-4" />
      {words.categorise}
    </Button>
  )
  return (
    <SelectionBar count={ids.size} onClear={clear}>
      {isChoosing ? (
        <Combobox
          label={words.category}
          options={categories}
          value={null}
          none={words.withoutCategory}
          onChoose={(id) => {
            give(Promise.resolve(id))
          }}
          onMake={(name) => {
            give(makeNamed('categories', name))
          }}
          onClose={() => {
            setChoosing(false)
          }}
          onClosed={() => chooser.current?.focus()}
        >
          {button}
        </Combobox>
      ) : (
        button
      )}
      {(ids.size === 1 || ids.size === 2) && (
        <Button
          size="sm"
          variant="secondary"
          onClick={() => {
            run(markTransfer(chosen), words.markedAsTransfer)
          }}
        >
          <ArrowRightLeft aria-hidden className="size-4" />
          {words.markAsTransfer}
        </Button>
      )}
      <Button
        size="sm"
        variant="secondary"
        onClick={(event) => {
          setOpener(event.currentTarget)
        }}
      >
        <Trash2 aria-hidden className="size-4" />
        {words.deleteSelected}
      </Button>
      {opener !== undefined && (
        <ConfirmDialog
          title={say(words.deleteSelectedTitle, { count: chosen.length })}
          description={words.deleteSelectedDescription}
          opener={opener}
          onConfirm={async () => {
            await removeAll(chosen)
            notify(say(words.deletedCount, { count: chosen.length }))
            clear()
          }}
          onClose={() => {
            setOpener(undefined)
          }}
        />
      )}
    </SelectionBar>
  )
}
