import { LONGEST } from './message-length'

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
