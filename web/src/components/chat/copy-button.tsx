import { CopyIcon } from '@/components/ui/copy-icon'
import { useCopy } from '@/hooks/use-copy'
import { IconButton } from './icon-button'

interface CopyButtonProps {
  text: string
  label: string
}

export function CopyButton({ text, label }: CopyButtonProps) {
  const { copied, copy } = useCopy()
  return (
    <IconButton label={copied ? 'Copied' : label} onClick={() => void copy(text)}>
      <CopyIcon copied={copied} />
    </IconButton>
  )
}
