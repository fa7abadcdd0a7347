// Sends a file and tells how far it is. Not with fetch, which can't tell.
import { errorFromFailure, errorFromResponse } from './errors'

interface Upload {
  /** With its query. */
  path: string
  file: File
  onProgress: (share: number) => void
  signal?: AbortSignal
}

export function upload<Answer>({ path, file, onProgress, signal }: Upload): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', path)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.setRequestHeader('Accept', 'application/json')
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total)
    }
    request.onload = () => {
      const body = parsed(request.responseText)
      if (request.status >= 200 && request.status < 300) resolve(body as Answer)
      else reject(errorFromResponse(new Response(null, { status: request.status || 500 }), body))
    }
    request.onerror = () => {
      reject(errorFromFailure(null))
    }
    signal?.addEventListener('abort', () => {
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
