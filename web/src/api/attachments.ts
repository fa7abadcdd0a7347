import { client, unwrap } from './client'
import { errorFromFailure, errorFromResponse } from './errors'
import type { Attachment } from './types'

export const MAX_ATTACHMENT_BYTES = 5 * 1024 * 1024
export const MAX_ATTACHMENTS = 10

/** What the file dialog offers. The server looks at the bytes and has the last word. */
export const ATTACHMENT_TYPES = 'image/png,image/jpeg,image/gif,image/webp,text/*,.md,.csv,.json,.toml,.yaml,.yml,.log'

interface UploadOptions {
  /** From 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/** Sent with XMLHttpRequest: fetch can't tell how far an upload is. */
export function uploadAttachment(workspaceId: string, file: File, { onProgress, signal }: UploadOptions = {}): Promise<Attachment> {
  const query = new URLSearchParams({ workspaceId, name: file.name })
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/api/attachments?${query.toString()}`)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => {
      if (total > 0) onProgress?.(loaded / total)
    }
    request.onload = () => {
      if (request.status === 201) resolve(request.response as Attachment)
      else reject(errorFromResponse(new Response(null, { status: request.status }), request.response))
    }
    request.onerror = () => {
      reject(errorFromFailure(undefined))
    }
    request.onabort = () => {
      reject(new DOMException('The upload was cancelled.', 'AbortError'))
    }
    signal?.addEventListener('abort', () => {
      request.abort()
    })
    request.send(file)
  })
}

export async function deleteAttachment(id: string): Promise<void> {
  await unwrap(client.DELETE('/api/attachments/{id}', { params: { path: { id } } }))
}

/** Where one's own attachment can be read. */
export function attachmentUrl(id: string): string {
  return `/api/attachments/${id}`
}
