// Colours for code, by language: each language's grammar is a script of its own, fetched when the first code in it is shown.
// What comes out is a tree with class names, which highlight.css colours: the content security policy allows no inline styles.
import type { LanguageFn } from 'highlight.js'
import { createLowlight } from 'lowlight'
import { createElement, type ReactNode } from 'react'
import './highlight.css'

const GRAMMARS: Record<string, () => Promise<{ default: LanguageFn }>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  go: () => import('highlight.js/lib/languages/go'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  php: () => import('highlight.js/lib/languages/php'),
  python: () => import('highlight.js/lib/languages/python'),
  r: () => import('highlight.js/lib/languages/r'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
}

const ALIASES: Record<string, string> = {
  'c++': 'cpp',
  cjs: 'javascript',
  console: 'bash',
  cs: 'csharp',
  docker: 'dockerfile',
  html: 'xml',
  js: 'javascript',
  jsonc: 'json',
  jsx: 'javascript',
  kt: 'kotlin',
  md: 'markdown',
  mjs: 'javascript',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  svg: 'xml',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  yml: 'yaml',
  zsh: 'bash',
}

const lowlight = createLowlight()

/** The code with its colours; null in a language that isn't known here. */
export async function highlight(code: string, language: string): Promise<ReactNode> {
  const asked = language.toLowerCase()
  const name = Object.hasOwn(ALIASES, asked) ? ALIASES[asked] : asked
  const load = name !== undefined && Object.hasOwn(GRAMMARS, name) ? GRAMMARS[name] : undefined
  if (name === undefined || load === undefined) return null
  if (!lowlight.registered(name)) lowlight.register(name, (await load()).default)
  return lowlight.highlight(name, code).children.map(drawn)
}

type Node = ReturnType<typeof lowlight.highlight>['children'][number]

function drawn(node: Node, index: number): ReactNode {
  if (node.type === 'text') return node.value
  if (node.type !== 'element') return null
  const names = node.properties.className
  return createElement('span', { key: index, className: Array.isArray(names) ? names.join(' ') : undefined }, node.children.map(drawn))
}
