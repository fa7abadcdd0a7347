import { expect, test } from 'vitest'
import { toolWords } from './tool-words'

test.each([
  ['handoff_to_sdr', 'Handoff to sdr'],
  ['switch-agent', 'Switch agent'],
  ['searchWeb', 'Search web'],
  ['manageCRM', 'Manage CRM'],
  ['get_current_time', 'Get current time'],
  ['Web Search', 'Web Search'],
  ['Ask Émile', 'Ask Émile'],
  ['CRM', 'CRM'],
  ['', ''],
])('%s is %s', (name, words) => {
  expect(toolWords(name)).toBe(words)
})
