import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { once } from '@/api/data'
import { ApiError } from '@/api/errors'
import type { KnowledgePage } from '@/api/types'
import { problemsOf } from '@/components/forms/checks'
import { LeaveDialog } from '@/components/forms/save-bar'
import { useDraft, type DraftForm } from '@/components/forms/use-form'
import { useUnsavedGuard } from '@/components/forms/use-unsaved-guard'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { SwitchField, TextField } from '@/components/ui/fields'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import { changePage, createPage, readPage, useRefreshPages, type PageDraft } from '@/hooks/use-knowledge'
import { useWorkspace } from '@/hooks/use-workspace'
import { words } from '@/words/en/knowledge'
import { say } from '@/words/say'
import { PageText } from './page-text'

interface PageEditorProps {
  /** Nothing for a new one. */
  page: KnowledgePage | undefined
  /** Below which a new one comes. */
  parentId?: string
  onSaved: (page: KnowledgePage) => void
  onCancel: () => void
}

export function PageEditor({ page: newest, parentId, onSaved, onCancel }: PageEditorProps) {
  // As it was when writing began: what others change meanwhile is read at once, and must not be written over unseen.
  const [page] = useState(newest)
  const workspace = useWorkspace()
  const refresh = useRefreshPages()
  const [key] = useState(() => once()['idempotency-key'])
  const [isOutdated, setOutdated] = useState(false)
  /** Whether what others wrote meanwhile may be replaced: they said so. */
  const replacesNewest = useRef(false)
  const form = useDraft({
    saved: draftOf(page),
    check: ({ title }) => problemsOf({ title: title.trim() === '' && words.titleIsMissing }),
    save: async (draft) => {
      setOutdated(false)
      try {
        const saved = page === undefined ? await createPage(workspace.id, parentId, whole(draft), key) : await changePage(page.id, await versionOf(page), whole(draft))
        onSaved(saved)
      } catch (error) {
        setOutdated(error instanceof ApiError && error.code === 'page_changed')
        throw error
      }
      await refresh()
    },
  })
  const versionOf = async ({ id, version }: KnowledgePage) => {
    const seen = replacesNewest.current ? (await readPage(id)).version : version
    replacesNewest.current = false
    return seen
  }
  const guard = useUnsavedGuard(form.isDirty && !form.pending)
  return (
    <form noValidate className="grid min-w-0 gap-5" onSubmit={form.onSubmit}>
      <h1 dir="auto" className="text-2xl font-semibold tracking-tight wrap-anywhere">
        {page === undefined ? words.newPage : say(words.editPage, { title: page.title })}
      </h1>
      <TextField label={words.title} {...form.field('title')} maxLength={200} autoFocus={page === undefined} />
      <PageText pageId={page?.id} text={form.draft.body} onChange={(write) => { form.change(({ body }) => ({ body: write(body) })) }} />
      <PropertyList {...form} />
      <SwitchField label={words.visibility} hint={words.visibilityHint} {...form.toggle('is_public')} />
      {isOutdated ? (
        <Alert>
          <p>{words.changedMeanwhile}</p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button variant="secondary" size="sm" onClick={() => { void refresh().then(onCancel) }}>
              {words.loadNewest}
            </Button>
            <Button type="submit" variant="ghost" size="sm" onClick={() => { replacesNewest.current = true }}>
              {words.keepMine}
            </Button>
          </div>
        </Alert>
      ) : (
        form.problem !== undefined && <Alert>{form.problem}</Alert>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" pending={form.pending}>
          {page === undefined ? words.create : words.save}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {words.cancel}
        </Button>
      </div>
      {guard.isLeaving && <LeaveDialog onStay={guard.stay} onLeave={guard.leave} />}
    </form>
  )
}

function draftOf(page: KnowledgePage | undefined): PageDraft {
  const { title = '', body = '', properties = [], is_public = false } = page ?? {}
  return { title, body, properties, is_public }
}

/** Properties that nobody named are left out. */
function whole(draft: PageDraft): PageDraft {
  return { ...draft, title: draft.title.trim(), properties: draft.properties.filter(({ name }) => name.trim() !== '') }
}

function PropertyList({ draft, change }: Pick<DraftForm<PageDraft>, 'draft' | 'change'>) {
  const { properties } = draft
  const set = (at: number, changes: { name?: string; value?: string }) => {
    change({ properties: properties.map((property, index) => (index === at ? { ...property, ...changes } : property)) })
  }
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{words.properties}</legend>
      {properties.map(({ name, value }, at) => (
        <div key={at} className="flex items-center gap-2">
          <Input aria-label={words.propertyName} placeholder={words.propertyName} value={name} maxLength={100} className="basis-1/3" onChange={(event) => { set(at, { name: event.target.value }) }} />
          <Input aria-label={words.propertyValue} placeholder={words.propertyValue} value={value} maxLength={2_000} onChange={(event) => { set(at, { value: event.target.value }) }} />
          <IconButton label={say(words.removeProperty, { name: name.trim() === '' ? words.propertyName : name })} onClick={() => { change({ properties: properties.filter((_, index) => index !== at) }) }}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </div>
      ))}
      <div>
        <Button variant="secondary" size="sm" disabled={properties.length >= 50} onClick={() => { change({ properties: [...properties, { name: '', value: '' }] }) }}>
          {words.addProperty}
        </Button>
      </div>
    </fieldset>
  )
}
