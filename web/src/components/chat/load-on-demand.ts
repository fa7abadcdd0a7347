import { notifyError } from './notify-error'

export type OnDemand = typeof import('./on-demand')

let loaded: OnDemand | null = null

export async function loadOnDemand(): Promise<OnDemand> {
  loaded ??= await import('./on-demand')
  return loaded
}

/** Called with what is asked for, at once if it is here. What is shown stays as it is until then, so that nothing flashes. */
export function onDemand(then: (parts: OnDemand) => void): void {
  if (loaded !== null) then(loaded)
  else loadOnDemand().then(then, notifyError)
}
