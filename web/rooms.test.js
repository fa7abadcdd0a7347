import { join } from 'node:path'
import { RuleTester } from 'eslint'
import { afterAll, describe, it } from 'vitest'
import { oneWay } from './rooms.js'

RuleTester.afterAll = afterAll
RuleTester.describe = describe
RuleTester.it = it

const at = (path) => join(import.meta.dirname, 'src', path)
const refused = (from, to) => [{ message: `${from} may not import ${to}: see web/README.md, and the order in rooms.js.` }]

new RuleTester().run('one-way', oneWay, {
  valid: [
    ['a page takes from a room above it', 'pages/dashboard.tsx', "import { Page } from '@/components/layout/page'"],
    ['a path that is relative', 'components/chat/chat.tsx', "import { Button } from '../ui/button'"],
    ['within a room, its folders included', 'chat/export/markdown.ts', "import { EMPTY } from '../state'"],
    ['a package', 'lib/text.ts', "import { clsx } from 'clsx'"],
    ['the root takes from everywhere', 'routes.tsx', "const Page = import('@/pages/dashboard')"],
  ].map(([name, path, code]) => ({ name, filename: at(path), code })),
  invalid: [
    ['a room below', 'lib/text.ts', "import { client } from '@/api/client'", refused('lib', 'api')],
    ['a room beside it', 'components/chat/chat.tsx', "import { TeamForm } from '@/components/teams/team-form'", refused('components/chat', 'components/teams')],
    ['by a relative path', 'chat/fold.ts', "import { useTeams } from '../hooks/use-teams'", refused('chat', 'hooks')],
    ['on demand', 'hooks/use-teams.ts', "const page = import('@/pages/teams')", refused('hooks', 'pages')],
    ['handed through', 'api/types.ts', "export * from '@/chat/types'", refused('api', 'chat')],
    ['some of it handed through', 'api/types.ts', "export { EMPTY } from '@/chat/state'", refused('api', 'chat')],
    ['a room that nobody knows', 'pages/teams.tsx', "import { x } from '@/stray/x'", refused('pages', 'stray')],
  ].map(([name, path, code, errors]) => ({ name, filename: at(path), code, errors })),
})
