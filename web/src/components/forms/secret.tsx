import { useEffect, useId, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { CopyIcon, useCopy } from '@/components/ui/copy'
import { Input } from '@/components/ui/input'
import { words as common } from '@/words/en/common'
import { words } from '@/words/en/forms'

interface SecretProps {
  label: string
  value: string
  /** Below it: what to know about it. */
  note?: string
  /** Puts the focus here, as it is what the person waited for. */
  autoFocus?: boolean
}

/** Something to copy: a link, an address, or a secret that is shown once. */
export function Secret({ label, value, note, autoFocus = false }: SecretProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { copied, copy } = useCopy()
  useEffect(() => {
    if (autoFocus) input.current?.focus()
  }, [autoFocus])

  async function copyOrSelect(): Promise<void> {
    if (!(await copy(value))) input.current?.select()
  }

  return (
    <div className="grid min-w-0 gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <div className="flex gap-2">
        <Input
          ref={input}
          id={id}
          readOnly
          value={value}
          aria-describedby={note === undefined ? undefined : `${id}-note`}
          className="min-w-0 font-mono"
          onFocus={(event) => {
            event.target.select()
          }}
        />
        <Button variant="secondary" className="shrink-0" onClick={() => void copyOrSelect()}>
          <CopyIcon copied={copied} />
          {copied ? common.copied : words.copy}
        </Button>
      </div>
      {note !== undefined && (
        <p id={`${id}-note`} className="text-sm text-muted">
          {note}
        </p>
      )}
    </div>
  )
}
