// The secret address under which a calendar program reads what is due.
import { useMutation } from '@tanstack/react-query'
import { CalendarSync } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '@/api/errors'
import { Alert } from '@/components/ui/alert'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy'
import { Dialog } from '@/components/ui/dialog'
import { SwitchField, TextField } from '@/components/ui/fields'
import { Notice } from '@/components/ui/notice'
import { useCalendarAddress } from '@/hooks/use-projects'
import { notify } from '@/lib/toasts'
import { ago } from '@/lib/when'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/projects'
import { say } from '@/words/say'

export function CalendarButton() {
  const [opener, setOpener] = useState<HTMLElement>()
  return (
    <>
      <Button
        variant="secondary"
        onClick={(event) => {
          setOpener(event.currentTarget)
        }}
      >
        <CalendarSync aria-hidden className="size-4" />
        {words.calendar}
      </Button>
      {opener !== undefined && (
        <CalendarDialog
          opener={opener}
          onClose={() => {
            setOpener(undefined)
          }}
        />
      )}
    </>
  )
}

function CalendarDialog({ opener, onClose }: { opener: HTMLElement; onClose: () => void }) {
  const { query, make, revoke } = useCalendarAddress()
  const [path, setPath] = useState<string>()
  const [isMine, setMine] = useState(true)
  const making = useMutation({
    mutationFn: make,
    onSuccess: (made) => {
      setPath(made.path)
    },
  })
  const revoking = useMutation({
    mutationFn: revoke,
    onSuccess: () => {
      setPath(undefined)
      notify(words.calendarRevoked)
    },
  })
  const since = query.data?.createdAt ?? undefined
  const error = making.error ?? revoking.error ?? query.error
  const address = path === undefined ? '' : `${window.location.origin}${path}${isMine ? '?mine=true' : ''}`
  return (
    <Dialog
      title={words.calendarTitle}
      description={words.calendarDescription}
      opener={opener}
      onClose={onClose}
      actions={
        <>
          {since !== undefined && (
            <Button
              variant="secondary"
              className="sm:mr-auto"
              pending={revoking.isPending}
              onClick={() => {
                revoking.mutate()
              }}
            >
              {words.revoke}
            </Button>
          )}
          <Button variant="secondary" onClick={onClose}>
            {common.close}
          </Button>
          {path === undefined && (
            <Button
              pending={making.isPending}
              onClick={() => {
                making.mutate()
              }}
            >
              {since === undefined ? words.makeAddress : words.newAddress}
            </Button>
          )}
        </>
      }
    >
      {error !== null && <Alert>{messageOf(error)}</Alert>}
      {path === undefined ? (
        query.isSuccess && <p className="text-sm">{since === undefined ? words.calendarNone : say(words.calendarSince, { when: ago(since) })}</p>
      ) : (
        <>
          <Notice>{words.calendarMade}</Notice>
          <SwitchField label={words.onlyMine} checked={isMine} onChange={setMine} />
          <div className="flex items-end gap-2">
            <TextField label={words.calendarAddress} value={address} readOnly className="grow" controlClass="font-mono text-xs!" onChange={() => undefined} />
            <CopyButton text={address} label={words.copyAddress} />
          </div>
        </>
      )}
    </Dialog>
  )
}
