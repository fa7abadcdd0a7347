// English: tools from an OpenAPI document.
import { catalog } from '../catalog'

export const words = catalog('openapi', {
  // tools/openapi-import
  document: 'Document',
  documentDescription: 'An OpenAPI document of version 3, as JSON or YAML. Nothing is stored before you choose.',
  address: 'Its address',
  addressPlaceholder: 'https://api.example.com/openapi.json',
  orPaste: 'Or the document itself',
  orDrop: 'Paste it, or drop a file here.',
  documentPlaceholder: 'openapi: 3.1.0',
  read: 'Read it',
  chooseAFile: 'Choose a file',
  file: 'File',
  // tools/openapi-operations
  operations: 'Operations',
  operationsDescription: 'Each operation that you choose becomes a tool. Choose few: agents do better with those they need.',
  anotherDocument: 'Another document',
  searchOperations: 'Search by path, name or summary',
  noOperations: 'The document has no operations that can be tools.',
  noneFits: 'No operation fits this search.',
  allOfThem: { one: 'The one shown', other: 'All {count} shown' },
  created: 'Created',
  leftOut: 'Not used: {what}',
  countNotImported: { one: '{count} operation can’t be a tool', other: '{count} operations can’t be tools' },
  create: 'Create tools',
  createDescription: 'They ask a person before each call until you say otherwise, each on its own page.',
  prefix: 'Names begin with',
  prefixPlaceholder: 'shop_',
  prefixHint: 'Optional. Tells these tools from others.',
  secretHint: 'The value of this header, for all tools that need it. You can enter it later.',
  createTools: 'Create tools',
  createCount: { one: 'Create {count} tool', other: 'Create {count} tools' },
  countCreated: { one: '{count} tool is created.', other: '{count} tools are created.' },
  countRefused: { one: '{count} tool could not be created. The list says why.', other: '{count} tools could not be created. The list says why.' },
})
