import { Button } from '@/components/ui/button'
import { words } from '@/words/en/chat'
import { say } from '@/words/say'

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
        {excess > 0 && words.tooLong}
      </p>
      {excess > 0 && (
        <p id={id} className={`text-sm text-danger ${className ?? ''}`}>
          {say(words.tooManyCharacters, { count: excess, longest })}
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
    <div role="group" aria-label={words.longText} className="flex flex-wrap items-center gap-2 px-4 pt-3 text-sm">
      <p className="grow text-muted">{say(words.thatIsALongText, { length })}</p>
      <Button size="sm" autoFocus onClick={onAttach}>
        {words.attachAsAFile}
      </Button>
      <Button size="sm" variant="ghost" onClick={onPaste}>
        {words.pasteAsText}
      </Button>
    </div>
  )
}
