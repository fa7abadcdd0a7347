import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { words } from '@/words/en/common'
import { Input } from './input'

/** A password that can be looked at: people on phones mistype what they cannot see. */
export function PasswordInput(props: Omit<ComponentProps<'input'>, 'type'>) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <div className="relative">
      <Input {...props} type={shown ? 'text' : 'password'} className="pr-11" />
      <button
        type="button"
        aria-label={words.showPassword}
        aria-pressed={shown}
        className="absolute inset-y-0 right-0 flex w-10 items-center justify-center rounded-r-lg text-muted hover:text-foreground"
        onClick={() => {
          setShown(!shown)
        }}
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </div>
  )
}
