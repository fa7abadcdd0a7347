import type { Attachment } from './types'
import { upload } from './upload'

interface Upload {
  workspaceId: string
  file: File
  onProgress: (share: number) => void
  signal: AbortSignal
}

export function uploadAttachment({ workspaceId, file, onProgress, signal }: Upload): Promise<Attachment> {
  const query = new URLSearchParams({ workspaceId, name: file.name.slice(-200) })
  return upload({ path: `/api/attachments?${query.toString()}`, file, onProgress, signal })
}
