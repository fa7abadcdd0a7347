import { clsx } from 'clsx'
import { useConfiguredServers } from '@/hooks/use-tools'
import { hostOf } from '@/lib/text'
import { words } from '@/words/en/servers'
import { KNOWN_SERVERS } from './known-servers'

interface KnownServersProps {
  /** The address that is in the form, or the name of the configured one. */
  chosen: string
  onChoose: (server: (typeof KNOWN_SERVERS)[number]) => void
  onChooseConfigured: (server: { name: string; description: string }) => void
}

/** Servers to begin with. A choice fills in the form; nothing is connected to before it is saved. */
export function KnownServers({ chosen, onChoose, onChooseConfigured }: KnownServersProps) {
  const { data: configured = [] } = useConfiguredServers()
  return (
    <section aria-labelledby="known-servers">
      <h2 id="known-servers" className="font-semibold">
        {words.knownServers}
      </h2>
      <p className="mt-1 mb-3 text-sm text-pretty text-muted">{words.knownServersDescription}</p>
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 lg:grid-cols-3">
        {configured.map((server) => (
          <ServerCard
            key={server.name}
            name={server.name}
            about={server.description}
            note={words.ofThisServer}
            isChosen={server.name === chosen}
            onChoose={() => {
              onChooseConfigured(server)
            }}
          />
        ))}
        {KNOWN_SERVERS.map((server) => (
          <ServerCard
            key={server.id}
            name={words.known[server.id].name}
            about={words.known[server.id].about}
            note={`${hostOf(server.url)} · ${words.asksFor[server.asksFor]}`}
            isChosen={server.url === chosen}
            onChoose={() => {
              onChoose(server)
            }}
          />
        ))}
      </ul>
    </section>
  )
}

interface ServerCardProps {
  name: string
  about: string
  /** Where it is, and how it knows who asks. */
  note: string
  isChosen: boolean
  onChoose: () => void
}

function ServerCard({ name, about, note, isChosen, onChoose }: ServerCardProps) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        className={clsx(
          'flex h-full w-full flex-col rounded-lg border bg-surface p-3.5 text-left transition-colors',
          isChosen ? 'border-brand ring-1 ring-brand' : 'border-border hover:border-control',
        )}
        onClick={onChoose}
      >
        <span className="text-sm font-medium wrap-anywhere">{name}</span>
        <span className="mt-0.5 text-sm text-pretty text-muted wrap-anywhere">{about}</span>
        <span className="mt-auto pt-2 text-xs text-muted wrap-anywhere">{note}</span>
      </button>
    </li>
  )
}
