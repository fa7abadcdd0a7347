import { Button } from '@/components/ui/button'

/** The most that the server takes of a person's message. */
export const LONGEST = 200_000

/** The same of a visitor's or a guest's. */
export const LONGEST_PUBLIC = 4_000

/** By how many characters a message is too long, as the server counts: JavaScript counts some of them as two. */
export function excessOf(content: string, longest = LONGEST): number {
  if (content.length <= longest) return 0
  const pairs = content.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0
  return Math.max(0, content.length - pairs - longest)
}

interface TooLongProps {
  id: string
  /** How many characters must go. */
  excess: number
  longest?: number
  className?: string
}

/**
 * Why what is written can't be sent. Nothing of it is cut: which part may go is the writer's to say. Readers are told once; by
 * how much is in the box's description.
 */
export function TooLong({ id, excess, longest = LONGEST, className }: TooLongProps) {
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {excess > 0 && 'Too long to be sent'}
      </p>
      {excess > 0 && (
        <p id={id} className={`text-sm text-danger ${className ?? ''}`}>
          {excess.toLocaleString()} {excess === 1 ? 'character' : 'characters'} too many: a message can have {longest.toLocaleString()}.
        </p>
      )}
    </>
  )
}

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
