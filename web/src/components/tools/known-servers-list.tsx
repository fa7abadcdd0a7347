import { clsx } from 'clsx'
import { hostOf } from '@/lib/text'
import { words } from '@/words/en/servers'
import { KNOWN_SERVERS } from './known-servers'

interface KnownServersProps {
  /** The address that is in the form. */
  chosen: string
  onChoose: (server: (typeof KNOWN_SERVERS)[number]) => void
}

/** Servers to begin with. A choice fills in the form; nothing is connected to before it is saved. */
export function KnownServers({ chosen, onChoose }: KnownServersProps) {
  return (
    <section aria-labelledby="known-servers">
      <h2 id="known-servers" className="font-semibold">
        {words.knownServers}
      </h2>
      <p className="mt-1 mb-3 text-sm text-pretty text-muted">{words.knownServersDescription}</p>
      <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2 lg:grid-cols-3">
        {KNOWN_SERVERS.map((server) => {
          const { name, about } = words.known[server.id]
          const isChosen = server.url === chosen
          return (
            <li key={server.id}>
              <button
                type="button"
                aria-pressed={isChosen}
                className={clsx(
                  'flex h-full w-full flex-col rounded-lg border bg-surface p-3.5 text-left transition-colors',
                  isChosen ? 'border-brand ring-1 ring-brand' : 'border-border hover:border-control',
                )}
                onClick={() => {
                  onChoose(server)
                }}
              >
                <span className="text-sm font-medium">{name}</span>
                <span className="mt-0.5 text-sm text-pretty text-muted">{about}</span>
                <span className="mt-auto pt-2 text-xs text-muted wrap-anywhere">
                  {hostOf(server.url)} · {words.asksFor[server.asksFor]}
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
