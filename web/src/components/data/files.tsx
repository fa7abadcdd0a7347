// Rows as files: where they go out, and where they come in.
import { Download, Upload } from 'lucide-react'
import { Link } from 'wouter'
import { buttonClass } from '@/components/ui/button'
import { DropdownMenu, MenuItem } from '@/components/ui/dropdown-menu'
import { exportUrl } from '@/hooks/use-data'
import { useWorkspace } from '@/hooks/use-workspace'
import { words } from '@/words/en/data'
import type { Filters } from './filter-bar'

interface ExportMenuProps {
  kind: string
  search?: string
  filters: Filters
}

/** The rows that fit, as a file. */
export function ExportMenu({ kind, search, filters }: ExportMenuProps) {
  const { id: workspaceId } = useWorkspace()
  return (
    <DropdownMenu
      align="end"
      trigger={
        <button type="button" className={buttonClass('secondary')}>
          <Download aria-hidden className="size-4" />
          {words.export}
        </button>
      }
    >
      {(['csv', 'json'] as const).map((format) => (
        <MenuItem key={format} asChild>
          <a href={exportUrl(kind, { workspaceId, search, filters, format })} download>
            {words.exportFormats[format]}
          </a>
        </MenuItem>
      ))}
    </DropdownMenu>
  )
}

/** To where files of this kind come in. */
export function ImportLink({ kind }: { kind: string }) {
  return (
    <Link to={`/imports?kind=${kind}`} className={buttonClass('secondary')}>
      <Upload aria-hidden className="size-4" />
      {words.import}
    </Link>
  )
}
