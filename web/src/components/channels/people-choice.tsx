// Choosing people: a search, and a box for each person who fits.
import { useState } from 'react'
import type { ChannelPerson } from '@/api/types'
import { SearchBox } from '@/components/ui/search-box'
import { words } from '@/words/en/channels'

interface PeopleChoiceProps {
  people: readonly ChannelPerson[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

export function PeopleChoice({ people, chosen, onChange }: PeopleChoiceProps) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLocaleLowerCase()
  const fitting = people.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChange(next)
  }
  if (people.length === 0) return <p className="text-sm text-muted">{words.nobodyElse}</p>
  return (
    <>
      <SearchBox label={words.findPerson} value={search} onChange={setSearch} />
      <div role="group" aria-label={words.people} className="grid max-h-60 gap-px overflow-y-auto">
        {fitting.map(({ profile_id: id, name }) => (
          <label key={id} className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-sm hover:bg-subtle pointer-coarse:min-h-11">
            <input type="checkbox" checked={chosen.has(id)} className="accent-brand" onChange={() => { toggle(id) }} />
            <span dir="auto" className="min-w-0 truncate">{name}</span>
          </label>
        ))}
      </div>
      {fitting.length === 0 && <p role="status" className="text-sm text-muted">{words.nobodyFound}</p>}
    </>
  )
}
