import { useMutation } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import { messageOf } from '@/api/errors'
import { Button } from '@/components/ui/button'
import type { TestOutcome } from '@/hooks/use-providers'
import { words } from '@/words/en/providers'

/** Tries what is typed, and says what came of it. What is typed afterwards wasn't tried: the parent gives another `key`. */
export function TestButton({ test }: { test: () => Promise<TestOutcome> }) {
  const tried = useMutation({ mutationFn: test })
  const outcome = tried.isError ? { ok: false, message: messageOf(tried.error) } : tried.data
  const Icon = outcome?.ok === true ? CircleCheck : CircleX
  return (
    <>
      <Button
        variant="secondary"
        pending={tried.isPending}
        onClick={() => {
          tried.mutate()
        }}
      >
        {words.test}
      </Button>
      {/* Always there: readers announce only what appears in a region that they know. */}
      <div role="status" className="min-w-0 basis-full text-sm wrap-anywhere">
        {tried.isPending && <p className="text-muted">{words.testing}</p>}
        {!tried.isPending && outcome !== undefined && (
          <p className="flex gap-2">
            <Icon aria-hidden className={outcome.ok ? 'mt-0.5 size-4 shrink-0 text-success' : 'mt-0.5 size-4 shrink-0 text-danger'} />
            <span className="min-w-0">{outcome.message}</span>
          </p>
        )}
      </div>
    </>
  )
}
