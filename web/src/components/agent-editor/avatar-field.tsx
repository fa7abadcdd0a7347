import { useMutation } from '@tanstack/react-query'
import { Upload } from 'lucide-react'
import { useRef } from 'react'
import { messageOf } from '@/api/errors'
import { AgentAvatar } from '@/components/agents/agent-avatar'
import { Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/fields'
import { uploadImage } from '@/hooks/use-agent-detail'
import { useWorkspace } from '@/hooks/use-workspace'
import { words } from '@/words/en/agent-editor'
import { words as common } from '@/words/en/common'

interface AvatarFieldProps {
  value: string
  slug: string
  readOnly: boolean
  problem?: string
  onChange: (value: string) => void
}

/** An emoji, or a picture that is uploaded. */
export function AvatarField({ value, slug, readOnly, problem, onChange }: AvatarFieldProps) {
  const workspace = useWorkspace()
  const file = useRef<HTMLInputElement>(null)
  const upload = useMutation({ mutationFn: (image: File) => uploadImage(workspace.id, image), onSuccess: onChange })
  const isImage = value.startsWith('/')
  return (
    <div className="flex items-start gap-4">
      <AgentAvatar agent={{ slug, avatar_url: value }} />
      {!readOnly && (
        <div className="flex min-w-0 grow flex-wrap items-start gap-2">
          <TextField
            label={words.avatar}
            labelHidden
            name="avatar_url"
            className="w-32"
            value={isImage ? '' : value}
            placeholder={isImage ? words.picture : '✨'}
            hint={words.avatarHint}
            maxLength={16}
            problem={upload.isError ? messageOf(upload.error) : problem}
            onChange={onChange}
          />
          <input
            ref={file}
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp"
            aria-label={words.picture}
            hidden
            onChange={(event) => {
              const image = event.target.files?.[0]
              if (image) upload.mutate(image)
              event.target.value = ''
            }}
          />
          <Button variant="secondary" pending={upload.isPending} onClick={() => file.current?.click()}>
            <Upload aria-hidden className="size-4" />
            {words.uploadPicture}
          </Button>
          {value !== '' && (
            <Button
              variant="ghost"
              onClick={() => {
                onChange('')
              }}
            >
              {common.remove}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
