import { useStored } from './use-stored'

/** Choices about the keyboard, each on until someone turns it off. */
export type KeyboardSwitch = 'baton.enter-sends' | 'baton.help-key'

/** A choice kept in this browser, and how to change it. */
export function useSwitch(key: KeyboardSwitch): [boolean, (on: boolean) => void] {
  const [stored, write] = useStored(key)
  return [
    stored !== 'off',
    (on) => {
      write(on ? 'on' : 'off')
    },
  ]
}
