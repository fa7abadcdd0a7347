import { useMutation } from '@tanstack/react-query'
import { FileArchive } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '@/api/errors'
import type { PagesImported } from '@/api/types'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { importPages, undoPageImport, useRefreshPages } from '@/hooks/use-knowledge'
import { useWorkspace } from '@/hooks/use-workspace'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/knowledge'
import { say } from '@/words/say'
import { folderAsZip } from './folder-zip'

// React passes it on, but its types don't know it.
const FOLDER = { webkitdirectory: '' }

interface ImportDialogProps {
  /** What was dropped on the page. */
  dropped: File | null
  opener: HTMLElement | null
  onClose: () => void
}

/** A zip or a folder of Markdown: first what would come of it, then the import, then a way to take it back. */
export function ImportDialog({ dropped, opener, onClose }: ImportDialogProps) {
  const workspace = useWorkspace()
  const refresh = useRefreshPages()
  const [file, setFile] = useState(dropped)
  const look = useMutation({ mutationFn: (zip: File) => importPages({ workspaceId: workspace.id, file: zip, isTried: true }) })
  const run = useMutation({
    mutationFn: (zip: File) => importPages({ workspaceId: workspace.id, file: zip, isTried: false }),
    onSuccess: refresh,
  })
  const undo = useMutation({
    mutationFn: (id: string) => undoPageImport(id),
    onSuccess: async ({ kept }) => {
      notify(kept === 0 ? words.importUndone : say(words.importPartlyUndone, { count: kept }))
      await refresh()
      onClose()
    },
  })
  const { mutate } = look
  const { reset } = run
  useEffect(() => {
    // What was said of another file is no longer true.
    reset()
    if (file !== null) mutate(file)
  }, [file, mutate, reset])
  const counts = look.data?.counts
  const changes = (counts?.created ?? 0) + (counts?.changed ?? 0)
  const error = look.error ?? run.error ?? undo.error
  const done = run.data
  return (
    <Dialog
      opener={opener}
      onClose={onClose}
      title={words.importTitle}
      description={words.importHint}
      actions={
        done === undefined ? (
          <>
            <Button variant="secondary" onClick={onClose}>
              {words.cancel}
            </Button>
            <Button pending={run.isPending} disabled={file === null || changes === 0} onClick={() => { if (file !== null) run.mutate(file) }}>
              {counts === undefined ? words.importPages : changes === 0 ? words.nothingToImport : say(words.importNow, { count: changes })}
            </Button>
          </>
        ) : (
          <>
            {done.import_id !== null && <UndoButton id={done.import_id} isBusy={undo.isPending} onUndo={undo.mutate} />}
            <Button onClick={onClose}>{words.close}</Button>
          </>
        )
      }
    >
      {done === undefined && <ZipField file={file} isBusy={look.isPending} onFile={setFile} />}
      {done !== undefined && (
        <p role="status" className="text-sm font-medium">
          {say(words.imported, { count: done.counts.created + done.counts.changed })}
        </p>
      )}
      {(done ?? look.data) !== undefined && <Counts imported={(done ?? look.data) as PagesImported} />}
      {error !== null && <Alert>{messageOf(error)}</Alert>}
    </Dialog>
  )
}

function UndoButton({ id, isBusy, onUndo }: { id: string; isBusy: boolean; onUndo: (id: string) => void }) {
  return (
    <Button variant="secondary" pending={isBusy} onClick={() => { onUndo(id) }}>
      {words.undoImport}
    </Button>
  )
}

function ZipField({ file, isBusy, onFile }: { file: File | null; isBusy: boolean; onFile: (file: File) => void }) {
  const zip = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)
  const take = async (files: readonly File[]) => {
    const packed = await folderAsZip(files)
    if (packed === null) notify(words.folderTooLarge, 'error')
    else onFile(packed)
  }
  return (
    <div
      className="flex flex-col items-center gap-2 rounded-xl border border-dashed border-border px-4 py-6 text-center text-sm text-muted"
      onDragOver={(event) => { event.preventDefault() }}
      onDrop={(event) => {
        event.preventDefault()
        const dropped = event.dataTransfer.files[0]
        if (dropped !== undefined) onFile(dropped)
      }}
    >
      <FileArchive aria-hidden className="size-6" />
      <div className="flex flex-wrap justify-center gap-2">
        <Button variant="secondary" size="sm" onClick={() => zip.current?.click()}>
          {words.chooseZip}
        </Button>
        <Button variant="secondary" size="sm" onClick={() => folder.current?.click()}>
          {words.chooseFolder}
        </Button>
      </div>
      <span role="status" className="wrap-anywhere">
        {file === null ? words.dropZip : isBusy ? say(words.reading, { name: file.name }) : <span dir="auto">{file.name}</span>}
      </span>
      <input
        ref={zip}
        type="file"
        accept=".zip,application/zip"
        hidden
        aria-label={words.chooseZip}
        onChange={(event) => {
          const chosen = event.target.files?.[0]
          if (chosen !== undefined) onFile(chosen)
          event.target.value = ''
        }}
      />
      <input
        ref={folder}
        type="file"
        {...FOLDER}
        hidden
        aria-label={words.chooseFolder}
        onChange={(event) => {
          const chosen = [...(event.target.files ?? [])]
          if (chosen.length > 0) void take(chosen)
          event.target.value = ''
        }}
      />
    </div>
  )
}

function Counts({ imported }: { imported: PagesImported }) {
  const { counts, refused } = imported
  const kinds = ['created', 'changed', 'same', 'deleted', 'files', 'refused'] as const
  return (
    <div className="grid gap-2 text-sm">
      <ul className="grid gap-1">
        {kinds
          .filter((kind) => counts[kind] > 0)
          .map((kind) => (
            <li key={kind}>{say(words.counted[kind], { count: counts[kind] })}</li>
          ))}
      </ul>
      {refused.length > 0 && (
        <ul className="grid max-h-32 gap-1 overflow-y-auto rounded-lg bg-subtle p-2 text-xs text-muted">
          {refused.map(({ path, reason }, at) => (
            <li key={at} className="wrap-anywhere">
              <code>{path}</code> {reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
