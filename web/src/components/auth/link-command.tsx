import { useAuthOptions } from '@/hooks/use-auth-options'

/** What prints a new sign-in link on the server. A demo has one owner, who has no password. */
export function LinkCommand() {
  const { data: options } = useAuthOptions()
  return (
    <code className="mt-2 block rounded-lg bg-subtle px-3 py-2.5 font-mono text-sm wrap-anywhere">
      baton admin sign-in-link {options?.demo ? 'owner@demo.localhost' : 'EMAIL'}
    </code>
  )
}
