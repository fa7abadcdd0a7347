import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { messageOf } from '@/api/errors'
import { keys } from '@/api/query-client'
import type { OpenApiOperation, OpenApiTools } from '@/api/types'
import { SecretField } from '@/components/forms/secret-field'
import { SettingsSection } from '@/components/forms/section'
import { Alert } from '@/components/ui/alert'
import { Badge, type BadgeTone } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/checkbox'
import { TextField } from '@/components/ui/fields'
import { SearchBox } from '@/components/ui/search-box'
import { createTool } from '@/hooks/use-tools'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/openapi'
import { say } from '@/words/say'
import { found, keyOf, nameOf, nameProblems, secretsOf, toolOf } from './openapi-draft'

interface OpenApiOperationsProps {
  api: OpenApiTools
  taken: readonly string[]
  onBack: () => void
}

/** The operations of a document, from which tools are chosen and created one after the other. */
export function OpenApiOperations({ api, taken, onBack }: OpenApiOperationsProps) {
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const [, navigate] = useLocation()
  const [search, setSearch] = useState('')
  const [prefix, setPrefix] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({})
  /** What became of those that were tried: made, or refused for a reason. */
  const [made, setMade] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())
  const [isCreating, setIsCreating] = useState(false)
  const shown = found(api.operations, search)
  const picked = api.operations.filter((operation) => chosen.has(keyOf(operation)) && !made.has(keyOf(operation)))
  const problems = nameProblems(picked, prefix, taken.filter((name) => !isMadeHere(name, { api, prefix, made })))
  const wanted = secretsOf(picked)
  const open = shown.filter((operation) => !made.has(keyOf(operation)))
  const allShown = open.length > 0 && open.every((operation) => chosen.has(keyOf(operation)))

  async function create(): Promise<void> {
    setIsCreating(true)
    const failures = new Map<string, string>()
    let count = 0
    for (const operation of picked) {
      try {
        await createTool(workspace.id, toolOf(operation, prefix, secrets))
        count++
        setMade((before) => new Set([...before, keyOf(operation)]))
      } catch (error) {
        failures.set(keyOf(operation), messageOf(error))
      }
    }
    setRefused(failures)
    setIsCreating(false)
    await queryClient.invalidateQueries({ queryKey: keys.tools(workspace.id) })
    if (count > 0) notify(say(words.countCreated, { count }))
    if (failures.size === 0) navigate('/agents/tools')
  }

  return (
    <div className="grid grid-cols-1 gap-6">
      <SettingsSection
        title={api.title === '' ? words.operations : api.title}
        description={words.operationsDescription}
        actions={
          <Button variant="ghost" size="sm" onClick={onBack}>
            {words.anotherDocument}
          </Button>
        }
      >
        <div className="grid grid-cols-1 gap-4">
          <SearchBox label={words.searchOperations} value={search} onChange={setSearch} />
          {shown.length === 0 ? (
            <p className="text-sm text-muted">{api.operations.length === 0 ? words.noOperations : words.noneFits}</p>
          ) : (
            <>
              <label className="flex min-h-8 items-center gap-3 px-3 text-sm font-medium">
                <Checkbox
                  checked={allShown}
                  disabled={open.length === 0}
                  onChange={({ target }) => {
                    const names = open.map(keyOf)
                    setChosen(new Set(target.checked ? [...chosen, ...names] : [...chosen].filter((key) => !names.includes(key))))
                  }}
                />
                {say(words.allOfThem, { count: shown.length })}
              </label>
              <ul aria-label={words.operations} className="max-h-[32rem] divide-y divide-border overflow-y-auto rounded-lg border border-border">
                {shown.map((operation) => {
                  const key = keyOf(operation)
                  return (
                    <OperationRow
                      key={key}
                      operation={operation}
                      name={nameOf(operation, prefix)}
                      isChosen={chosen.has(key) || made.has(key)}
                      isMade={made.has(key)}
                      problem={problems.get(key) ?? refused.get(key)}
                      onChoose={(isChosen) => {
                        setChosen(new Set(isChosen ? [...chosen, key] : [...chosen].filter((other) => other !== key)))
                      }}
                    />
                  )
                })}
              </ul>
            </>
          )}
          <NotImported api={api} />
        </div>
      </SettingsSection>
      <SettingsSection title={words.create} description={words.createDescription}>
        <form
          noValidate
          className="grid grid-cols-1 gap-5"
          onSubmit={(event) => {
            event.preventDefault()
            if (!isCreating && picked.length > 0 && problems.size === 0) void create()
          }}
        >
          {refused.size > 0 && <Alert>{say(words.countRefused, { count: refused.size })}</Alert>}
          <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
            <TextField
              label={words.prefix}
              name="prefix"
              value={prefix}
              maxLength={32}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder={words.prefixPlaceholder}
              hint={words.prefixHint}
              controlClass="font-mono"
              onChange={setPrefix}
            />
            {wanted.map((name) => (
              <SecretField
                key={name}
                label={name}
                name={`secrets.${name}`}
                value={secrets[name] ?? ''}
                hint={words.secretHint}
                onChange={(value) => {
                  setSecrets({ ...secrets, [name]: value })
                }}
              />
            ))}
          </div>
          <div>
            <Button type="submit" pending={isCreating} disabled={picked.length === 0 || problems.size > 0}>
              {picked.length === 0 ? words.createTools : say(words.createCount, { count: picked.length })}
            </Button>
          </div>
        </form>
      </SettingsSection>
    </div>
  )
}

/** Whether a name is taken by a tool that was made on this page. */
function isMadeHere(name: string, { api, prefix, made }: { api: OpenApiTools; prefix: string; made: ReadonlySet<string> }): boolean {
  return api.operations.some((operation) => made.has(keyOf(operation)) && nameOf(operation, prefix) === name)
}

const TONES: Record<OpenApiOperation['method'], BadgeTone> = { GET: 'success', POST: 'brand', PUT: 'warning', PATCH: 'warning', DELETE: 'danger' }

interface OperationRowProps {
  operation: OpenApiOperation
  name: string
  isChosen: boolean
  isMade: boolean
  problem: string | undefined
  onChoose: (isChosen: boolean) => void
}

function OperationRow({ operation, name, isChosen, isMade, problem, onChoose }: OperationRowProps) {
  const { method, path, description, left_out } = operation
  return (
    <li>
      <label className="flex items-start gap-3 px-3 py-2.5 has-enabled:cursor-pointer has-enabled:hover:bg-subtle">
        <Checkbox
          className="mt-0.5"
          checked={isChosen}
          disabled={isMade}
          onChange={({ target }) => {
            onChoose(target.checked)
          }}
        />
        <span className="min-w-0 grow text-sm">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <Badge tone={TONES[method]}>{method}</Badge>
            <span className="font-mono wrap-anywhere">{path}</span>
            {isMade && <Badge tone="success">{words.created}</Badge>}
          </span>
          <span dir="auto" className="mt-0.5 line-clamp-2 text-muted wrap-anywhere">
            {description}
          </span>
          <span className="mt-0.5 block font-mono text-xs text-muted wrap-anywhere">{name}</span>
          {left_out.length > 0 && <span className="mt-0.5 block text-xs text-warning wrap-anywhere">{say(words.leftOut, { what: left_out.join(', ') })}</span>}
          {problem !== undefined && <span className="mt-0.5 block text-xs text-danger">{problem}</span>}
        </span>
      </label>
    </li>
  )
}

/** What of the document can't be a tool, and why. */
function NotImported({ api }: { api: OpenApiTools }) {
  if (api.not_imported.length === 0) return null
  return (
    <details className="text-sm">
      <summary className="min-h-6 cursor-pointer text-muted">{say(words.countNotImported, { count: api.not_imported.length })}</summary>
      <ul className="mt-2 grid gap-1.5 pl-4">
        {api.not_imported.map((operation) => (
          <li key={keyOf(operation)} className="wrap-anywhere">
            <span className="font-mono">{keyOf(operation)}</span> <span className="text-muted">{operation.why}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
