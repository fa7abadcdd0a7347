import { LONGEST } from './message-length'

interface TooLongProps {
  id: string
  /** How many characters must go. */
  excess: number
  className?: string
}

/** Why what is written can't be sent. Nothing of it is cut: which part may go is the writer's to say. */
export function TooLong({ id, excess, className }: TooLongProps) {
  if (excess === 0) return null
  return (
    <p id={id} aria-live="polite" className={`text-sm text-danger ${className ?? ''}`}>
      {excess.toLocaleString()} {excess === 1 ? 'character' : 'characters'} too many: a message can have {LONGEST.toLocaleString()}.
    </p>
  )
}
