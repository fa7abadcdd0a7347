/** Seen when its message is pointed at or has the focus; always where there is no pointer. */
export const ON_HOVER =
  'pointer-fine:opacity-0 group-hover/message:opacity-100 group-focus-within/message:opacity-100 transition-opacity'
