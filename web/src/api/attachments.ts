// Sends a file and tells how far it is. Not with fetch, which can't tell.
import { errorFromFailure, errorFromResponse } from './errors'
import type { Attachment } from './types'

interface Upload {
  workspaceId: string
  file: File
  onProgress: (share: number) => void
  signal: AbortSignal
}

export function uploadAttachment({ workspaceId, file, onProgress, signal }: Upload): Promise<Attachment> {
  const query = new URLSearchParams({ workspaceId, name: file.name.slice(-200) })
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/api/attachments?${query.toString()}`)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.setRequestHeader('Accept', 'application/json')
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total)
    }
    request.onload = () => {
      const body = parsed(request.responseText)
      if (request.status === 201) resolve(body as Attachment)
      else reject(errorFromResponse(new Response(null, { status: request.status || 500 }), body))
    }
    request.onerror = () => {
      reject(errorFromFailure(null))
    }
    signal.addEventListener('abort', () => {
      request.abort()
    })
    request.send(file)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
