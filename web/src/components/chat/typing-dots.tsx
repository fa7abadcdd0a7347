/** Nothing said yet. Readers are told by the status of the chat. */
export function TypingDots() {
  return (
    <span aria-hidden className="flex h-7 items-center gap-1">
      {['[animation-delay:0ms]', '[animation-delay:160ms]', '[animation-delay:320ms]'].map((delay) => (
        <span key={delay} className={`size-1.5 animate-pulse rounded-full bg-muted ${delay}`} />
      ))}
    </span>
  )
}
