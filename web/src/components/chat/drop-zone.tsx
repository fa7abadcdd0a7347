import { Paperclip } from 'lucide-react'
import { useState, type ReactNode } from 'react'

interface DropZoneProps {
  enabled: boolean
  onFiles: (files: File[]) => void
  /** Space to leave at the foot, in pixels: what a phone's keyboard covers. */
  bottom: number
  children: ReactNode
}

/** The whole chat takes files that are dropped on it. */
export function DropZone({ enabled, onFiles, bottom, children }: DropZoneProps) {
  const [over, setOver] = useState(false)
  return (
    <div
      className="relative flex min-h-0 min-w-0 grow flex-col"
      style={bottom === 0 ? undefined : { paddingBottom: bottom }}
      onDragOver={(event) => {
        if (!enabled || !event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        setOver(false)
        if (!enabled || event.dataTransfer.files.length === 0) return
        event.preventDefault()
        onFiles([...event.dataTransfer.files])
      }}
    >
      {children}
      {over && (
        <div className="pointer-events-none absolute inset-3 z-20 flex items-center justify-center gap-2 rounded-2xl border-2 border-dashed border-brand bg-background/90 font-medium text-brand">
          <Paperclip aria-hidden className="size-5" />
          Drop files to attach them
        </div>
      )}
    </div>
  )
}
