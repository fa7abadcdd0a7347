import { expect, test } from 'vitest'
import { sentenceCase, toolWords } from './text'

test.each([
  ['needs_analysis', 'Needs analysis'],
  ['follow-up', 'Follow up'],
  ['', ''],
])('%s is %s', (name, words) => {
  expect(sentenceCase(name)).toBe(words)
})

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
