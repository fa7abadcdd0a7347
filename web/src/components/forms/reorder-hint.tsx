/** For those who have such keys. */
export function ReorderHint() {
  return <span className="pointer-coarse:hidden">Alt with the arrow keys reorders.</span>
}
