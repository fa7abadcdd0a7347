// One import, in each of its states: being read, asking, ready to be started, coming in, done, failed, taken back.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Kind } from '@/api/data'
import { messageOf } from '@/api/errors'
import type { Option } from '@/components/data/combobox'
import { Alert } from '@/components/ui/alert'
import { Button, buttonClass, Spinner } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { Section } from '@/components/ui/section'
import { type ImportDetails, type ImportedAccount, useImportActions } from '@/hooks/use-imports'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/imports'
import { say } from '@/words/say'
import { ImportCounts, isUnderWay } from './import-counts'
import { FirstRows, Remarks, StatementBalances } from './import-preview'
import { MappingForm } from './mapping-form'

interface ImportViewProps {
  details: ImportDetails
  kind: Kind | undefined
  accounts: readonly Option[]
  mayChange: boolean
  onFit: (account: ImportedAccount) => Promise<unknown>
}

export function ImportView({ details, kind, accounts, mayChange, onFit }: ImportViewProps) {
  const { import: file, report, remarks } = details
  const { answer } = useImportActions(file.id)
  const { status } = file
  const isAsking = status === 'needs_mapping'
  const isReady = status === 'ready'
  const fields = kind?.fields.filter(({ presence, type }) => presence !== 'derived' && type !== 'id') ?? []
  const mapping = { details, fields, accounts, onSave: answer }
  return (
    <div className="grid gap-8">
      {/* What is asked stands at its field, for those who may answer. */}
      {!(isAsking && mayChange) && (
        <Card className="grid gap-5 p-4 sm:p-6">
          <ImportState details={details} mayChange={mayChange} />
        </Card>
      )}
      {isAsking && mayChange && (
        <Section title={words.questions}>
          <Card className="p-4 sm:p-6">
            <MappingForm key={`${status}-${file.updated_at}`} {...mapping} actions={<ImportButtons file={file} />} />
          </Card>
        </Section>
      )}
      {(isAsking || isReady) && <FirstRows report={report} />}
      <StatementBalances accounts={report.accounts} onFit={mayChange && status === 'completed' ? onFit : undefined} />
      <Remarks remarks={remarks} refused={file.refused} />
      {isReady && mayChange && (
        <Section title={words.howItIsRead}>
          <Card className="p-4 sm:p-6">
            <MappingForm key={`${status}-${file.updated_at}`} {...mapping} />
          </Card>
        </Section>
      )}
    </div>
  )
}

function ImportState({ details: { import: file, report }, mayChange }: { details: ImportDetails; mayChange: boolean }) {
  const { status } = file
  if (isUnderWay(status)) {
    return (
      <div role="status" className="flex items-start gap-3">
        <Spinner className="mt-0.5 text-info" />
        <div>
          <p className="font-medium">{words.statuses[status]}</p>
          <p className="text-sm text-muted tabular-nums">{say(words.readSoFar, { count: file.read })}</p>
          <p className="mt-1 text-sm text-muted">{words.thisMayTake}</p>
        </div>
      </div>
    )
  }
  return (
    <>
      {status === 'failed' && (
        <Alert>
          <p className="font-medium">{words.failedTitle}</p>
          <p className="wrap-anywhere">{file.problem}</p>
        </Alert>
      )}
      {status === 'needs_mapping' && <p className="text-sm text-muted">{report.questions.map(({ text }) => text).join(' ')}</p>}
      {status === 'ready' && <p className="text-sm text-muted">{words.wouldBe}</p>}
      {status !== 'needs_mapping' && <ImportCounts of={file} />}
      <Notes file={file} newCategories={report.new_categories} />
      {status === 'undone' && (
        <p className="text-sm text-muted">
          {say(words.undoneCounts, { count: file.undone })} {file.kept > 0 && say(words.keptCounts, { count: file.kept })}
        </p>
      )}
      {mayChange && <ImportButtons file={file} />}
    </>
  )
}

type File = ImportDetails['import']

function Notes({ file, newCategories }: { file: File; newCategories: readonly string[] }) {
  const notes = [
    file.deleted > 0 && say(words.deletedBefore, { count: file.deleted }),
    file.reused > 0 && say(words.reusedIds, { count: file.reused }),
    newCategories.length > 0 && say(words.newCategories, { count: newCategories.length, names: newCategories.join(', ') }),
  ].filter((note) => note !== false)
  if (notes.length === 0) return null
  return (
    <ul className="grid gap-1 text-sm text-muted">
      {notes.map((note) => (
        <li key={note} className="wrap-anywhere">{note}</li>
      ))}
    </ul>
  )
}

function ImportButtons({ file }: { file: File }) {
  const { answer, undo } = useImportActions(file.id)
  const [, navigate] = useLocation()
  const [opener, setOpener] = useState<HTMLElement>()
  const start = useMutation({
    mutationFn: () => answer({ start: true }),
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  const drop = useMutation({
    mutationFn: undo,
    onSuccess: () => {
      navigate('/imports')
    },
    onError: (error) => {
      notify(messageOf(error), 'error')
    },
  })
  const { status } = file
  const mayTakeBack = status === 'completed' || (status === 'failed' && file.stored > 0)
  return (
    <div className="flex flex-wrap gap-2">
      {status === 'ready' && (
        <Button
          pending={start.isPending}
          disabled={file.stored === 0}
          onClick={() => {
            start.mutate()
          }}
        >
          {file.stored === 0 ? words.nothingToImport : say(words.importThem, { count: file.stored })}
        </Button>
      )}
      {(status === 'ready' || status === 'needs_mapping') && (
        <Button
          variant="ghost"
          pending={drop.isPending}
          onClick={() => {
            drop.mutate()
          }}
        >
          {words.dontImport}
        </Button>
      )}
      {status === 'completed' && file.kind === 'transactions' && file.stored > 0 && (
        <Link to={`/money/transactions?import=${file.id}`} className={buttonClass('secondary')}>
          {words.seeTransactions}
        </Link>
      )}
      {mayTakeBack && (
        <Button
          variant="ghost"
          onClick={(event) => {
            setOpener(event.currentTarget)
          }}
        >
          {words.undoImport}
        </Button>
      )}
      {opener !== undefined && (
        <ConfirmDialog
          title={words.undoImportTitle}
          description={words.undoImportDescription}
          action={words.undoIt}
          opener={opener}
          onConfirm={undo}
          onClose={() => {
            setOpener(undefined)
          }}
        />
      )}
    </div>
  )
}
