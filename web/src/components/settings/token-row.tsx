import { useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { keys } from '@/api/query-client'
import { deleteToken, type Token } from '@/api/tokens'
import { Button } from '@/components/ui/button'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { useSession } from '@/hooks/use-session'
import { notify } from '@/lib/toasts'
import { ago } from '@/lib/when'

interface TokenRowProps {
  token: Token
  onDeleted: () => void
}

export function TokenRow({ token, onDeleted }: TokenRowProps) {
  const { workspaces } = useSession()
  const queryClient = useQueryClient()
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const workspace = workspaces.find(({ id }) => id === token.workspace_id)
  const used = token.last_used_at === null ? 'never used' : `used ${ago(token.last_used_at)}`
  return (
    <li className="flex items-center gap-3 py-3 text-sm first:pt-0 last:pb-0">
      <div className="min-w-0 grow">
        <p className="truncate font-medium">{token.name}</p>
        <p className="text-muted wrap-anywhere">
          <span className="font-mono">…{token.hint}</span> · {workspace?.name ?? 'A workspace you left'} · made{' '}
          {ago(token.created_at)}, {used}
        </p>
      </div>
      <Button
        variant="ghost"
        size="icon"
        aria-label={`Delete ${token.name}`}
        onClick={(event) => {
          setOpener(event.currentTarget)
        }}
      >
        <Trash2 aria-hidden className="size-4" />
      </Button>
      {opener !== null && (
        <ConfirmDialog
          title={`Delete “${token.name}”?`}
          description="Programs that use it are refused at once."
          opener={opener}
          onConfirm={async () => {
            await deleteToken(token.id)
            onDeleted()
            notify(`The token “${token.name}” is deleted.`)
            await queryClient.invalidateQueries({ queryKey: keys.tokens })
          }}
          onClose={() => {
            setOpener(null)
          }}
        />
      )}
    </li>
  )
}
