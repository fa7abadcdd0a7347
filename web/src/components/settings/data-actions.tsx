import { Download, Trash2 } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { buttonClass } from '@/components/ui/button-class'

interface DataActionsProps {
  exportUrl: string
  exportLabel: string
  deleteLabel: string
  onDelete: (opener: HTMLElement) => void
}

/** Taking one's data along, and taking it away. */
export function DataActions({ exportUrl, exportLabel, deleteLabel, onDelete }: DataActionsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <a href={exportUrl} download className={buttonClass('secondary')}>
        <Download aria-hidden className="size-4" />
        {exportLabel}
      </a>
      <Button
        variant="secondary"
        className="text-danger!"
        onClick={(event) => {
          onDelete(event.currentTarget)
        }}
      >
        <Trash2 aria-hidden className="size-4" />
        {deleteLabel}
      </Button>
    </div>
  )
}
