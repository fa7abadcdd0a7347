import { useModels } from '@/hooks/use-models'
import type { Models } from '@/api/types'

/** The models to choose from, with what each stands for; `current` stays even if the server knows it no longer. */
export function ModelOptions({ current }: { current: string }) {
  const { data } = useModels()
  const aliases = data?.aliases ?? []
  const isKnown = current === '' || aliases.some(({ alias }) => alias === current)
  return (
    <>
      {!isKnown && <option value={current}>{current}</option>}
      {aliases.map((alias) => (
        <option key={alias.alias} value={alias.alias}>
          {alias.alias} → {meaningOf(alias)}
        </option>
      ))}
    </>
  )
}

function meaningOf({ model }: Models['aliases'][number]): string {
  if (model === null) return 'no model for it here'
  return model === 'demo/demo' ? 'demo model' : model
}
