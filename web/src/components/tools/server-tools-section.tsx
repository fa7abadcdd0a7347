import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { ServerTool, ServerToolList, ToolServer } from '@/api/types'
import { SectionQuery, SettingsSection } from '@/components/forms/section'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { Notice } from '@/components/ui/notice'
import { SearchBox } from '@/components/ui/search-box'
import { useServerToolChanges, useServerTools } from '@/hooks/use-server-tools'
import { words } from '@/words/en/servers'
import { say } from '@/words/say'
import { ServerToolRow } from './server-tool-row'

/** As many can be seen at a glance. */
const SEARCHED_FROM = 12

/** The tools of a server: what is new or changed first, with what an admin may do about it. */
export function ServerToolsSection({ server }: { server: ToolServer }) {
  const query = useServerTools(server.id)
  const { refresh } = useServerToolChanges(server.id)
  return (
    <SettingsSection
      id="server-tools"
      title={words.itsTools}
      description={words.itsToolsDescription}
      actions={
        <Button
          variant="secondary"
          size="sm"
          pending={refresh.isPending}
          onClick={() => {
            refresh.mutate()
          }}
        >
          {!refresh.isPending && <RefreshCw aria-hidden className="size-4" />}
          {words.askAgain}
        </Button>
      }
    >
      <SectionQuery query={query} what="tools">
        {(list) => <ServerTools server={server} list={list} />}
      </SectionQuery>
    </SettingsSection>
  )
}

const ORDER: readonly ServerTool['state'][] = ['changed', 'new', 'allowed', 'gone']

function ServerTools({ server, list }: { server: ToolServer; list: ServerToolList }) {
  const { allow, holdBack } = useServerToolChanges(server.id)
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const wanted = search.trim().toLowerCase()
  const shown = list.tools
    .filter(({ raw_name, title, description }) => `${raw_name} ${title ?? ''} ${description}`.toLowerCase().includes(wanted))
    .sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))
  // Changed ones are allowed one by one, by whoever has seen what changed.
  const fresh = shown.filter(({ state }) => state === 'new')
  const picked = fresh.filter(({ raw_name }) => chosen.has(raw_name))
  const isBusy = allow.isPending || holdBack.isPending
  return (
    <div className="grid grid-cols-1 gap-4">
      {list.trouble !== null && <Notice tone="warning">{list.trouble}</Notice>}
      {list.needs_sign_in && <Notice tone="warning">{words.needsSignIn}</Notice>}
      {list.tools.length >= SEARCHED_FROM && <SearchBox label={words.searchTools} value={search} onChange={setSearch} />}
      {list.tools.length === 0 && list.trouble === null && !list.needs_sign_in && <p className="text-sm text-muted">{words.itHasNoTools}</p>}
      {list.tools.length > 0 && shown.length === 0 && <p className="text-sm text-muted">{words.noToolFits}</p>}
      {fresh.length > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-subtle px-3 py-2.5">
          <label className="flex min-h-8 items-center gap-3 text-sm font-medium">
            <Checkbox
              checked={picked.length === fresh.length}
              ref={(box) => {
                if (box) box.indeterminate = picked.length > 0 && picked.length < fresh.length
              }}
              onChange={({ target }) => {
                setChosen(new Set(target.checked ? fresh.map(({ raw_name }) => raw_name) : []))
              }}
            />
            {say(words.countNew, { count: fresh.length })}
          </label>
          <Button
            size="sm"
            disabled={picked.length === 0}
            pending={allow.isPending && picked.length > 0}
            onClick={() => {
              allow.mutate(picked, {
                onSuccess: () => {
                  setChosen(new Set())
                },
              })
            }}
          >
            {picked.length === 0 ? words.allow : say(words.allowCount, { count: picked.length })}
          </Button>
        </div>
      )}
      {shown.length > 0 && (
        <ul aria-label={words.itsTools} className="divide-y divide-border rounded-lg border border-border">
          {shown.map((tool) => (
            <ServerToolRow
              key={tool.raw_name}
              serverId={server.id}
              tool={tool}
              isBusy={isBusy}
              isChosen={chosen.has(tool.raw_name)}
              onChoose={(isChosen) => {
                setChosen(new Set([...chosen].filter((name) => name !== tool.raw_name).concat(isChosen ? [tool.raw_name] : [])))
              }}
              onAllow={() => {
                allow.mutate([tool])
              }}
              onHoldBack={() => {
                holdBack.mutate([tool])
              }}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
