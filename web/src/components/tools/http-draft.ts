// What the form of an HTTP tool holds, what is wrong with it, and what the server is sent of it.
import type { HttpApiTool, NewTool } from '@/api/types'
import { words } from '@/words/en/tool-forms'
import { say } from '@/words/say'
import { type AnswerDraft, answerProblems } from './answer-section'
import { type HeaderDraft, headerProblems, headersOf, sentHeaders, typedSecrets } from './header-draft'
import { parameterNames, parameterProblems, parametersDraft, type ParametersDraft, placesOf, schemaOf } from './parameters-draft'
import { namedDraft, type NamedDraft } from './use-tool-form'

export type Method = HttpApiTool['config']['method']

export const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const WITH_A_BODY: readonly Method[] = ['POST', 'PUT', 'PATCH']

export interface HttpDraft extends NamedDraft, AnswerDraft {
  method: Method
  url: string
  headers: HeaderDraft[]
  parameters: ParametersDraft
  bodyFrom: string
}

export function httpDraft(tool: HttpApiTool | undefined): HttpDraft {
  const config = tool?.config
  return {
    ...namedDraft(tool),
    method: config?.method ?? 'GET',
    url: config?.url ?? '',
    headers: headersOf(config ?? {}, tool?.missing_secrets ?? []),
    parameters: parametersDraft(config?.parameters),
    bodyFrom: config?.body_from ?? '',
    pick: config?.pick ?? '',
    trustedAs: config?.trusted_as ?? 'unknown',
  }
}

export function httpTool(draft: HttpDraft): NewTool {
  return {
    name: draft.name,
    type: 'http_api',
    description: draft.description,
    config: {
      method: draft.method,
      url: draft.url.trim(),
      ...sentHeaders(draft.headers),
      parameters: (schemaOf(draft.parameters) ?? {}) as Record<string, never>,
      body_from: hasBody(draft) && draft.bodyFrom !== '' ? draft.bodyFrom : null,
      pick: draft.pick.trim() === '' ? null : draft.pick.trim(),
      trusted_as: draft.trustedAs,
    },
    secrets: typedSecrets(draft.headers),
  }
}

export function hasBody({ method }: Pick<HttpDraft, 'method'>): boolean {
  return WITH_A_BODY.includes(method)
}

/** The places of the address that no parameter fills. */
export function unfilled({ url, parameters }: Pick<HttpDraft, 'url' | 'parameters'>): string[] {
  const { inPath, inQuery } = placesOf(url)
  const known = parameterNames(parameters)
  return [...new Set([...inPath, ...inQuery])].filter((name) => !known.includes(name))
}

export function checkHttp(draft: HttpDraft): Record<string, string> {
  const places = unfilled(draft)
  const url = addressProblem(draft.url) ?? (places.length > 0 ? say(words.placesWithoutParameter, { places: places.join(', ') }) : undefined)
  return {
    ...(url !== undefined && { 'config.url': url }),
    ...parameterProblems(draft.parameters),
    ...headerProblems(draft.headers, 'config.headers'),
    ...answerProblems(draft),
  }
}

export function addressProblem(url: string): string | undefined {
  return /^https?:\/\/[^/\s]+/i.test(url.trim()) ? undefined : words.enterAnAddress
}
