// Where a file comes in: dropped, or chosen. It is looked at first; nothing is stored before the person has seen what comes of it.
import { clsx } from 'clsx'
import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { Kind } from '@/api/data'
import { messageOf } from '@/api/errors'
import type { Option } from '@/components/data/combobox'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { SelectField } from '@/components/ui/fields'
import { beginImport } from '@/hooks/use-imports'
import { useWorkspace } from '@/hooks/use-workspace'
import { percent } from '@/lib/amounts'
import { words } from '@/words/en/imports'
import { say } from '@/words/say'

interface ImportStartProps {
  kinds: readonly Kind[]
  accounts: readonly Option[]
}

export function ImportStart({ kinds, accounts }: ImportStartProps) {
  const workspace = useWorkspace()
  const [, navigate] = useLocation()
  const input = useRef<HTMLInputElement>(null)
  const asked = new URLSearchParams(useSearch()).get('kind')
  const [chosen, setKind] = useState(asked ?? 'transactions')
  const kind = kinds.some(({ name }) => name === chosen) ? chosen : (kinds[0]?.name ?? chosen)
  const [account, setAccount] = useState('')
  const [isOver, setOver] = useState(false)
  const [sending, setSending] = useState<{ name: string; share: number }>()
  const [problem, setProblem] = useState<string>()

  async function send(file: File | undefined): Promise<void> {
    if (file === undefined || sending !== undefined) return
    const here = window.location.pathname
    setProblem(undefined)
    setSending({ name: file.name, share: 0 })
    try {
      const begun = await beginImport({
        workspaceId: workspace.id,
        kind,
        file,
        account: kind === 'transactions' && account !== '' ? account : undefined,
        onProgress: (share) => {
          setSending({ name: file.name, share })
        },
      })
      // Whoever has gone on to another page stays there: the file is listed when they come back.
      if (window.location.pathname === here) navigate(`/imports/${begun.id}`)
    } catch (error) {
      setProblem(messageOf(error))
      setSending(undefined)
    }
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void send(event.dataTransfer.files[0])
  }

  return (
    <Card className="grid gap-4 p-4 sm:p-6">
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label={words.whatIsInIt} value={kind} onChange={setKind}>
          {kinds.map(({ name, label }) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </SelectField>
        {kind === 'transactions' && (
          <SelectField label={words.ofAccount} value={account} onChange={setAccount}>
            <option value="">{words.theFileSays}</option>
            {accounts.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        )}
      </div>
      {problem !== undefined && <Alert>{problem}</Alert>}
      <div
        className={clsx(
          'grid justify-items-center gap-3 rounded-lg border border-dashed px-4 py-10 text-center transition-colors',
          isOver ? 'border-brand bg-brand-subtle/50' : 'border-control',
        )}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => {
          setOver(false)
        }}
        onDrop={onDrop}
      >
        <FileUp aria-hidden className="size-7 text-muted" />
        <div aria-live="polite">
          {sending === undefined ? (
            <>
              <p className="font-medium">{words.dropAFile}</p>
              <p className="text-sm text-muted">{words.orChoose}</p>
            </>
          ) : (
            <p className="font-medium wrap-anywhere">
              {say(words.uploading, { name: sending.name })} <span aria-hidden className="text-muted tabular-nums">{percent(sending.share)}</span>
            </p>
          )}
        </div>
        <input
          ref={input}
          type="file"
          aria-label={words.chooseAFile}
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            void send(event.target.files?.[0])
            event.target.value = ''
          }}
        />
        <Button variant="secondary" pending={sending !== undefined} onClick={() => input.current?.click()}>
          {words.chooseAFile}
        </Button>
        <p className="max-w-md text-sm text-pretty text-muted">{kind === 'transactions' ? words.formats : words.formatsOfOthers}</p>
      </div>
    </Card>
  )
}
