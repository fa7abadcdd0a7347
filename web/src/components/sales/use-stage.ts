import { useMutation } from '@tanstack/react-query'
import type { DataRow } from '@/api/data'
import { messageOf } from '@/api/errors'
import { useRowActions } from '@/hooks/use-data'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/sales'
import { say } from '@/words/say'

/** Brings a deal to another stage, and says so. */
export function useStage(onDone: () => void) {
  const { change } = useRowActions('deals')
  return useMutation({
    mutationFn: ({ row, fields }: { row: DataRow; fields: { stage: string } & Record<string, unknown> }) => change(row, fields),
    onSuccess: (_, { row, fields: { stage } }) => {
      const said = stage === 'won' ? words.isWon : stage === 'lost' ? words.isLost : words.isOpen
      notify(say(said, { name: String(row.fields.name) }))
      onDone()
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
}
