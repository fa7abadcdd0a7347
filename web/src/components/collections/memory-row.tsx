import { Pencil, Trash2 } from 'lucide-react'
import type { Memory } from '@/api/types'
import { RowMenu } from '@/components/forms/row-menu'
import { Badge } from '@/components/ui/badge'

interface MemoryRowProps {
  memory: Memory
  mayChange: boolean
  onEdit: () => void
  onDelete: (opener: HTMLElement | null) => void
}

const LONG = 240

export function MemoryRow({ memory, mayChange, onEdit, onDelete }: MemoryRowProps) {
  const { path, scope, content } = memory
  return (
    <div className="flex items-start gap-3">
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
          <span className="font-mono text-xs wrap-anywhere">{path}</span>
          <Badge tone={scope === 'own' ? 'brand' : 'neutral'}>{scope === 'own' ? 'About you' : 'For everyone'}</Badge>
        </p>
        {content.length <= LONG ? (
          <p className="mt-0.5 text-sm whitespace-pre-line text-muted wrap-anywhere">{content}</p>
        ) : (
          <details className="mt-0.5 text-sm text-muted">
            <summary className="cursor-pointer rounded-sm wrap-anywhere">{content.slice(0, LONG)}…</summary>
            <p className="mt-2 whitespace-pre-line wrap-anywhere">{content}</p>
          </details>
        )}
      </div>
      {mayChange && (
        <RowMenu
          name={path}
          actions={[
            { label: 'Edit', icon: Pencil, onSelect: onEdit },
            { label: 'Forget…', icon: Trash2, onSelect: onDelete },
          ]}
        />
      )}
    </div>
  )
}
