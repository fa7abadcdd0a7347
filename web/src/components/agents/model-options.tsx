import { modelMeaning } from '@/api/words'
import { useModels } from '@/hooks/use-models'

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
          {alias.alias} → {modelMeaning(alias)}
        </option>
      ))}
    </>
  )
}
