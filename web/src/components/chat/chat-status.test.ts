import { expect, test } from 'vitest'
import { plainText } from './chat-status'

test.each([
  ['plain words', 'Good day.', 'Good day.'],
  ['emphasis', 'A **bold**, *slanted* and ***both*** word, __so__ _it_ ~~was~~ is', 'A bold, slanted and both word, so it was is'],
  ['what only looks like emphasis', '2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
  ['code in a line', 'Call `fold(*state*)` or ``a ` b``', 'Call fold(*state*) or a ` b'],
  ['a block of code', 'Run:\n\n```sh\nls *.ts | wc # all\n```\n\nDone.', 'Run:\n\nls *.ts | wc # all\n\nDone.'],
  ['headings and quotes', '# Plan\n\n> ## Said\n> so', 'Plan\n\nSaid\nso'],
  ['lists', '- one\n  * two\n- [x] three\n1. four', 'one\ntwo\nthree\n1. four'],
  ['a table', '| Name | Cost |\n| :-- | --: |\n| **Tea** | 2 |', 'Name, Cost\nTea, 2'],
  ['links and pictures', 'See [the page](https://a.example/b), <https://c.example> ![a cat](cat.png)', 'See the page, https://c.example a cat'],
  ['a rule', 'One\n\n---\n\nTwo', 'One\n\nTwo'],
  ['what is escaped', '\\*not slanted\\* and \\# no heading', '*not slanted* and # no heading'],
  ['nothing', '', ''],
])('%s', (_, markdown, expected) => {
  expect(plainText(markdown)).toBe(expected)
})
