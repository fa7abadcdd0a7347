// The rooms of src/ and the lint rule that keeps their arrows pointing one way. A room may import those above it, and
// nothing else: rooms of one line don't know each other, and a room that isn't listed may import and be imported by nobody.
import { dirname, join, relative } from 'node:path'

/** What each room is for is said in web/README.md. */
const FLOORS = [
  ['words'],
  ['lib'],
  ['api'],
  ['live'],
  ['chat'],
  ['hooks'],
  ['providers'],
  ['components/ui'],
  ['components/forms', 'components/keyboard'],
  ['components/agents', 'components/analytics', 'components/data'],
  ['components/approvals', 'components/collections', 'components/tools', 'components/transitions'],
  ['components/agent-editor', 'components/chat', 'components/dashboard', 'components/imports', 'components/money', 'components/projects', 'components/sales', 'components/settings', 'components/teams'],
  ['components/administration', 'components/channels', 'components/knowledge', 'components/layout', 'components/tasks'],
  ['components/auth', 'components/public'],
  ['pages'],
  ['.'],
]

const SOURCE = join(import.meta.dirname, 'src')
const floorOf = (room) => FLOORS.findIndex((rooms) => rooms.includes(room))

/** `chat/export/markdown` is in `chat`, `components/ui/card` in `components/ui`, `routes` in `.`. */
function roomOf(path) {
  const folders = path.split('/').slice(0, -1)
  return folders.slice(0, folders[0] === 'components' ? 2 : 1).join('/') || '.'
}

function check(context, node) {
  const name = node.source?.value
  if (typeof name !== 'string' || !/^(?:@\/|\.)/.test(name)) return
  const file = relative(SOURCE, context.filename)
  const from = roomOf(file)
  const to = roomOf(name.startsWith('@/') ? name.slice(2) : join(dirname(file), name))
  if (from === to || (floorOf(to) >= 0 && floorOf(to) < floorOf(from))) return
  context.report({ node, message: `${from} may not import ${to}: see web/README.md, and the order in rooms.js.` })
}

export const oneWay = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const visit = (node) => check(context, node)
    return {
      ImportDeclaration: visit,
      ImportExpression: visit,
      ExportAllDeclaration: visit,
      ExportNamedDeclaration: visit,
    }
  },
}
