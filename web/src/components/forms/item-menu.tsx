import { Pencil, Trash2 } from 'lucide-react'
import { useLocation } from 'wouter'
import { RowMenu } from './row-menu'

interface ItemMenuProps {
  name: string
  /** Where it is changed. */
  path: string
  onDelete: (opener: HTMLElement | null) => void
}

/** What can be done with a tool or team that people made. */
export function ItemMenu({ name, path, onDelete }: ItemMenuProps) {
  const [, navigate] = useLocation()
  return (
    <RowMenu
      name={name}
      actions={[
        {
          label: 'Edit',
          icon: Pencil,
          onSelect: () => {
            navigate(path)
          },
        },
        { label: 'Delete…', icon: Trash2, onSelect: onDelete },
      ]}
    />
  )
}
