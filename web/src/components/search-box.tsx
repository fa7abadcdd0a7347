import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { Input } from './ui/input'

interface SearchBoxProps {
  label: string
  value: string
  onChange: (value: string) => void
  className?: string
}

export function SearchBox({ label, value, onChange, className }: SearchBoxProps) {
  return (
    <div role="search" className={clsx('relative', className)}>
      <Search aria-hidden className="pointer-events-none absolute top-3 left-3 size-4 text-muted" />
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        maxLength={200}
        className="pl-9"
        onChange={(event) => {
          onChange(event.target.value)
        }}
      />
    </div>
  )
}
