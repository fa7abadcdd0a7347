import { useSwitch } from '@/hooks/use-switch'
import { useCoarsePointer } from './use-coarse-pointer'

/** Whether Enter alone sends. On phones it breaks the line, whatever is chosen. */
export function useEnterSends(): boolean {
  const onPhone = useCoarsePointer()
  const [chosen] = useSwitch('baton.enter-sends')
  return chosen && !onPhone
}
