import { clsx } from 'clsx'
import { Search, X } from 'lucide-react'
import { useRef } from 'react'
import { words } from '@/words/en/common'
import { Input } from './input'

interface SearchBoxProps {
  label: string
  value: string
  onChange: (value: string) => void
  className?: string
}

export function SearchBox({ label, value, onChange, className }: SearchBoxProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div role="search" aria-label={label} className={clsx('relative', className)}>
      <Search aria-hidden className="pointer-events-none absolute top-3 left-3 size-4 text-muted" />
      <Input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        maxLength={200}
        className="pr-10 pl-9 [&::-webkit-search-cancel-button]:hidden"
        onChange={(event) => {
          onChange(event.target.value)
        }}
      />
      {value !== '' && (
        <button
          type="button"
          aria-label={words.clearSearch}
          className="absolute inset-y-0 right-0 flex w-10 items-center justify-center rounded-r-lg text-muted hover:text-foreground"
          onClick={() => {
            onChange('')
            input.current?.focus()
          }}
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  )
}
