import { Button } from '@/components/ui/button'

interface LongPasteProps {
  length: number
  onAttach: () => void
  onPaste: () => void
}

/** What to do with a very long text from the clipboard. */
export function LongPaste({ length, onAttach, onPaste }: LongPasteProps) {
  return (
    <div role="group" aria-label="Long text" className="flex flex-wrap items-center gap-2 px-4 pt-3 text-sm">
      <p className="grow text-muted">That is a long text: {length.toLocaleString()} characters.</p>
      <Button size="sm" autoFocus onClick={onAttach}>
        Attach as a file
      </Button>
      <Button size="sm" variant="ghost" onClick={onPaste}>
        Paste as text
      </Button>
    </div>
  )
}
