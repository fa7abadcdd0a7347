import { useMutation } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { type DragEvent, useId, useRef, useState } from 'react'
import { ApiError, messageOf } from '@/api/errors'
import type { OpenApiTools } from '@/api/types'
import { SettingsSection } from '@/components/forms/section'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { TextareaField, TextField } from '@/components/ui/fields'
import { readOpenApi } from '@/hooks/use-tools'
import { useWorkspace } from '@/hooks/use-workspace'
import { words } from '@/words/en/openapi'
import { OpenApiOperations } from './openapi-operations'

/** Takes a document, and offers its operations as tools. */
export function OpenApiImport({ taken }: { taken: readonly string[] }) {
  const [found, setFound] = useState<OpenApiTools>()
  if (found === undefined) return <OpenApiSource onRead={setFound} />
  return (
    <OpenApiOperations
      api={found}
      taken={taken}
      onBack={() => {
        setFound(undefined)
      }}
    />
  )
}

/** Where the document comes from: an address, a file, or what is pasted. */
function OpenApiSource({ onRead }: { onRead: (api: OpenApiTools) => void }) {
  const workspace = useWorkspace()
  const [url, setUrl] = useState('')
  const [document, setDocument] = useState('')
  const [isOver, setIsOver] = useState(false)
  const file = useRef<HTMLInputElement>(null)
  const fileId = useId()
  const read = useMutation({
    mutationFn: (from: { url: string } | { document: string }) => readOpenApi(workspace.id, from),
    onSuccess: onRead,
  })
  const field = read.error instanceof ApiError ? read.error.field : undefined
  const problemOf = (name: string) => (field === name ? messageOf(read.error) : undefined)
  const take = async (from: File | undefined) => {
    if (from !== undefined) setDocument(await from.text())
  }
  return (
    <SettingsSection title={words.document} description={words.documentDescription}>
      <form
        noValidate
        className="grid grid-cols-1 gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          if (read.isPending) return
          if (document.trim() !== '') read.mutate({ document })
          else if (url.trim() !== '') read.mutate({ url: url.trim() })
        }}
      >
        {read.isError && field !== 'url' && field !== 'document' && <Alert>{messageOf(read.error)}</Alert>}
        <TextField
          label={words.address}
          name="url"
          type="url"
          value={url}
          maxLength={2_000}
          autoComplete="off"
          spellCheck={false}
          placeholder={words.addressPlaceholder}
          disabled={document.trim() !== ''}
          problem={problemOf('url')}
          onChange={setUrl}
        />
        <div
          className={isOver ? 'rounded-lg ring-2 ring-brand ring-offset-4 ring-offset-surface' : undefined}
          onDragOver={(event: DragEvent) => {
            event.preventDefault()
            setIsOver(true)
          }}
          onDragLeave={() => {
            setIsOver(false)
          }}
          onDrop={(event: DragEvent) => {
            event.preventDefault()
            setIsOver(false)
            void take(event.dataTransfer.files[0])
          }}
        >
          <TextareaField
            label={words.orPaste}
            name="document"
            value={document}
            rows={8}
            spellCheck={false}
            placeholder={words.documentPlaceholder}
            hint={words.orDrop}
            controlClass="font-mono text-xs"
            problem={problemOf('document')}
            onChange={setDocument}
          />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button type="submit" pending={read.isPending} disabled={document.trim() === '' && url.trim() === ''}>
            {words.read}
          </Button>
          <Button variant="secondary" onClick={() => file.current?.click()}>
            <FileUp aria-hidden className="size-4" />
            {words.chooseAFile}
          </Button>
          <label htmlFor={fileId} className="sr-only">
            {words.file}
          </label>
          <input
            ref={file}
            id={fileId}
            type="file"
            accept=".json,.yaml,.yml,application/json,application/yaml"
            tabIndex={-1}
            className="sr-only"
            onChange={(event) => {
              void take(event.target.files?.[0])
              event.target.value = ''
            }}
          />
        </div>
      </form>
    </SettingsSection>
  )
}
