/** Sees nothing. */
export class StillObserver {
  observe() {
    return undefined
  }
  disconnect() {
    return undefined
  }
}

/** Sees everything at once. */
export class EagerObserver extends StillObserver {
  constructor(private readonly seen: (entries: { isIntersecting: boolean }[]) => void) {
    super()
  }
  override observe() {
    this.seen([{ isIntersecting: true }])
    return undefined
  }
}
