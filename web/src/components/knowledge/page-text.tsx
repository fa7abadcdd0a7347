// The text of a page while it is written: Markdown, what it looks like, and files that are put into it.
import { Paperclip } from 'lucide-react'
import { lazy, Suspense, useRef, useState, type DragEvent } from 'react'
import { messageOf } from '@/api/errors'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { Tab, TabList, TabPanel, Tabs } from '@/components/ui/tabs'
import { Textarea } from '@/components/ui/textarea'
import { addPageFile } from '@/hooks/use-knowledge'
import { notify } from '@/lib/toasts'
import { words } from '@/words/en/knowledge'
import { say } from '@/words/say'

const PageMarkdown = lazy(() => import('./page-markdown'))

interface PageTextProps {
  /** Undefined for a new one: files belong to a page that is there. */
  pageId: string | undefined
  text: string
  /** Gets the text as it is then: a file comes later, and people go on writing. */
  onChange: (write: (before: string) => string) => void
}

export function PageText({ pageId, text, onChange }: PageTextProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const [adding, setAdding] = useState<string>()
  const add = async (file: File) => {
    if (pageId === undefined) {
      notify(words.createFirst)
      return
    }
    setAdding(file.name)
    try {
      const added = await addPageFile(pageId, file)
      const at = area.current?.selectionStart ?? Infinity
      onChange((before) => before.slice(0, at) + linkTo(file.name, added) + before.slice(at))
    } catch (error) {
      notify(messageOf(error), 'error')
    } finally {
      setAdding(undefined)
    }
  }
  const drop = (event: DragEvent) => {
    const file = event.dataTransfer.files[0]
    if (file === undefined) return
    event.preventDefault()
    // Pages in a zip are imported where they are dropped beside the text.
    event.stopPropagation()
    void add(file)
  }
  return (
    <Tabs defaultValue="write">
      <TabList aria-label={words.text}>
        <Tab value="write">{words.write}</Tab>
        <Tab value="preview">{words.preview}</Tab>
      </TabList>
      <TabPanel value="write">
        <Textarea
          ref={area}
          aria-label={words.text}
          value={text}
          maxLength={200_000}
          dir="auto"
          spellCheck
          className="min-h-80 resize-y font-mono text-sm leading-6"
          onChange={(event) => {
            const { value } = event.target
            onChange(() => value)
          }}
          onDrop={drop}
        />
        <div className="mt-1.5 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <p role="status" className="min-w-0 text-xs text-muted wrap-anywhere">
            {adding !== undefined ? say(words.uploading, { name: adding }) : pageId === undefined ? words.textHintNew : words.textHint}
          </p>
          {pageId !== undefined && (
            <>
              <input
                ref={input}
                type="file"
                aria-label={words.addFile}
                tabIndex={-1}
                className="sr-only"
                onChange={(event) => {
                  const file = event.target.files?.[0]
                  if (file !== undefined) void add(file)
                  event.target.value = ''
                }}
              />
              <Button size="sm" variant="ghost" className="-mr-3" pending={adding !== undefined} onClick={() => input.current?.click()}>
                <Paperclip aria-hidden className="size-4" />
                {words.addFile}
              </Button>
            </>
          )}
        </div>
      </TabPanel>
      <TabPanel value="preview">
        <div className="min-h-80 rounded-lg border border-border bg-surface p-4">
          {text.trim() === '' ? (
            <p className="text-sm text-muted">{words.emptyPage}</p>
          ) : (
            <Suspense fallback={<Skeleton className="h-40 w-full" />}>
              <PageMarkdown text={text} />
            </Suspense>
          )}
        </div>
      </TabPanel>
    </Tabs>
  )
}

/** An image is shown, another file is linked to. A bracket in its name would end the link. */
function linkTo(name: string, { media_type, link }: { media_type: string; link: string }): string {
  return `${media_type.startsWith('image/') ? '!' : ''}[${name.replaceAll(/[\\[\]]/g, String.raw`\$&`)}](${link})`
}
