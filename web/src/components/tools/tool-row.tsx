import type { ReactNode } from 'react'
import { Badge } from '@/components/ui/badge'
import { type KnownTool, MISSING_WORDS } from './known-tools'
import { ToolIcon } from './tool-icon'

interface ToolRowProps {
  tool: KnownTool
  /** Under the description. */
  note?: ReactNode
  /** At the end of the row. */
  children?: ReactNode
}

/** A tool with what it does. */
export function ToolRow({ tool, note, children }: ToolRowProps) {
  return (
    <div className="flex items-start gap-3 px-4 py-3.5 sm:px-5">
      <ToolIcon icon={tool.icon} />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm font-medium">
          <span className={tool.kind === 'handoff' ? 'font-mono wrap-anywhere' : 'wrap-anywhere'}>{tool.name}</span>
          {!tool.available && <Badge tone="dashed">{MISSING_WORDS[tool.kind]}</Badge>}
        </p>
        <p className="mt-0.5 line-clamp-2 text-sm text-muted wrap-anywhere">{tool.description}</p>
        {note !== undefined && <div className="mt-1 text-xs text-muted">{note}</div>}
      </div>
      {children}
    </div>
  )
}
