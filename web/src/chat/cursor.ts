// A place in a conversation's log: `seq.off`, compared number by number.

/** Whether `cursor` is a later place than `than`. */
export function isLater(cursor: string, than: string | null): boolean {
  if (than === null) return true
  const [seq, off] = pair(cursor)
  const [thanSeq, thanOff] = pair(than)
  return seq === thanSeq ? off > thanOff : seq > thanSeq
}

function pair(cursor: string): [number, number] {
  const [seq, off] = cursor.split('.')
  return [Number(seq), Number(off ?? 0)]
}
