// Shares a transaction out among categories. The server checks that the parts add up; here one sees what is left.
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { DataRow } from '@/api/data'
import { messageOf } from '@/api/errors'
import type { Option } from '@/components/data/combobox'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { SelectField, TextField } from '@/components/ui/fields'
import { IconButton } from '@/components/ui/icon-button'
import { type SplitPart, useMoneyActions } from '@/hooks/use-money'
import { formatMoney, parseMoney } from '@/lib/money'
import { notify } from '@/lib/toasts'
import { words as common } from '@/words/en/common'
import { words as data } from '@/words/en/data'
import { words } from '@/words/en/money'
import { say } from '@/words/say'
import { leftOf, newPart, type PartDraft, partsOf } from './split-parts'

interface SplitDialogProps {
  row: DataRow
  title: string
  categories: readonly Option[]
  opener: HTMLElement | null
  onClose: () => void
}

export function SplitDialog({ row: opened, title, categories, opener, onClose }: SplitDialogProps) {
  const { split } = useMoneyActions()
  // What one sees here is what one shares out, whatever others make of it: the server then refuses.
  const [row] = useState(opened)
  const amount = Number(row.fields.amount)
  const currency = String(row.fields.currency)
  const stored = (row.fields.splits ?? []) as SplitPart[]
  const [parts, setParts] = useState<PartDraft[]>(() => partsOf(stored, { amount, currency, categoryId: (row.fields.category_id ?? null) as string | null }))
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const left = leftOf(parts, amount, currency)
  const isWhole = left === 0 && parts.length >= 2 && parts.every(({ amount: typed }) => typed.trim() !== '')
  const change = (key: number, changes: Partial<PartDraft>) => {
    setParts(parts.map((part) => (part.key === key ? { ...part, ...changes } : part)))
  }
  async function save(into: SplitPart[], said: string): Promise<void> {
    setPending(true)
    setProblem(undefined)
    try {
      await split(row, into)
      notify(said)
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
      setPending(false)
    }
  }
  const whole = parts.map(({ amount: typed, categoryId, memo }): SplitPart => ({
    amount: parseMoney(typed, currency) ?? 0,
    category_id: categoryId === '' ? null : categoryId,
    memo: memo.trim() === '' ? null : memo.trim(),
  }))
  return (
    <Dialog
      opener={opener}
      onClose={onClose}
      title={say(words.splitTitle, { title })}
      description={say(words.splitDescription, { amount: formatMoney(amount, currency) })}
      actions={
        <>
          {stored.length > 0 && (
            <Button variant="ghost" className="sm:mr-auto" pending={pending} onClick={() => void save([], words.splitUndone)}>
              {words.undivided}
            </Button>
          )}
          <Button variant="secondary" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button pending={pending} disabled={!isWhole} onClick={() => void save(whole, words.splitSaved)}>
            {words.saveSplit}
          </Button>
        </>
      }
    >
      {problem !== undefined && <Alert>{problem}</Alert>}
      <ul className="grid gap-3">
        {parts.map((part, index) => (
          <li key={part.key} className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)_auto] items-start gap-2">
            <SelectField
              label={index === 0 ? words.category : say(words.part, { number: index + 1 })}
              labelHidden={index > 0}
              value={part.categoryId}
              onChange={(categoryId) => {
                change(part.key, { categoryId })
              }}
            >
              <option value="">{words.withoutCategory}</option>
              {categories.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
            <TextField
              label={words.partAmount}
              labelHidden={index > 0}
              inputMode="decimal"
              autoComplete="off"
              controlClass="text-right tabular-nums"
              value={part.amount}
              problem={part.amount.trim() !== '' && parseMoney(part.amount, currency) === undefined ? data.enterAnAmount : undefined}
              onChange={(typed) => {
                change(part.key, { amount: typed })
              }}
            />
            <IconButton
              label={say(words.removePart, { number: index + 1 })}
              disabled={parts.length <= 2}
              className={index === 0 ? 'mt-6.5' : undefined}
              onClick={() => {
                setParts(parts.filter(({ key }) => key !== part.key))
              }}
            >
              <X aria-hidden className="size-4" />
            </IconButton>
          </li>
        ))}
      </ul>
      <div className="flex items-center justify-between gap-3">
        <Button
          size="sm"
          variant="ghost"
          className="-ml-3"
          onClick={() => {
            setParts([...parts, newPart()])
          }}
        >
          <Plus aria-hidden className="size-4" />
          {words.addPart}
        </Button>
        <p role="status" className="text-sm text-muted tabular-nums">
          {left !== undefined && (left !== 0 || isWhole) && leftWords(left, amount, currency)}
        </p>
      </div>
    </Dialog>
  )
}

function leftWords(left: number, amount: number, currency: string): string {
  if (left === 0) return words.splitFits
  const isTooMuch = Math.sign(left) !== Math.sign(amount)
  return say(isTooMuch ? words.tooMuchSplit : words.leftToSplit, { amount: formatMoney(Math.abs(left), currency) })
}
