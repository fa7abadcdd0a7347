// Which operations of an OpenAPI document become tools, and under which names.
import type { HttpApiTool, NewTool, OpenApiOperation } from '@/api/types'
import { nameProblem } from './handoff-draft'

/** Tells operations apart. */
export function keyOf({ method, path }: Pick<OpenApiOperation, 'method' | 'path'>): string {
  return `${method} ${path}`
}

/** What a tool is called: with what all names begin with, and no longer than names may be. */
export function nameOf({ name }: OpenApiOperation, prefix: string): string {
  return `${prefix}${name}`.slice(0, 64)
}

export function found(operations: readonly OpenApiOperation[], search: string): OpenApiOperation[] {
  const words = search.toLowerCase().split(/\s+/).filter((word) => word !== '')
  return operations.filter((operation) => {
    const text = `${keyOf(operation)} ${operation.name} ${operation.description}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Why a name can't be taken, by the operation. Two of one name are both wrong. */
export function nameProblems(operations: readonly OpenApiOperation[], prefix: string, taken: readonly string[]): Map<string, string> {
  const names = operations.map((operation) => nameOf(operation, prefix))
  const problems = operations.flatMap((operation, index) => {
    const name = names[index] ?? ''
    const others = [...taken, ...names.filter((_, at) => at !== index)]
    const problem = nameProblem(name, others)
    return problem === undefined ? [] : [[keyOf(operation), problem] as const]
  })
  return new Map(problems)
}

/** The secrets that these need: the same header goes to the same service. */
export function secretsOf(operations: readonly OpenApiOperation[]): string[] {
  return [...new Set(operations.flatMap((operation) => configOf(operation).secret_headers ?? []))]
}

export function toolOf(operation: OpenApiOperation, prefix: string, secrets: Readonly<Record<string, string>>): NewTool {
  const config = configOf(operation)
  const own = (config.secret_headers ?? []).filter((name) => (secrets[name] ?? '') !== '')
  return {
    name: nameOf(operation, prefix),
    type: 'http_api',
    description: operation.description,
    config,
    secrets: Object.fromEntries(own.map((name) => [name, secrets[name] ?? ''])),
  }
}

/** All operations are tools of the type `http_api`. */
function configOf({ config }: OpenApiOperation): HttpApiTool['config'] {
  return config as HttpApiTool['config']
}
