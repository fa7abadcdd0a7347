import { fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import type { AgentTool } from '@/api/types'
import { agent, hiredAgent } from '@/testing/samples'
import { AgentCard } from './agent-card'

function tool(name: string, id: string, available = true): AgentTool {
  return { id, toolName: id, name, description: null, icon: null, server: null, available, unavailableBecause: null }
}

describe('an agent for hire', () => {
  test('shows what it does and no numbers', () => {
    render(<AgentCard agent={agent()} numbers="loading" footer={<button>Hire Agent</button>} />)
    const card = screen.getByRole('article', { name: 'Budget Coach' })
    expect(card.textContent).toContain('Plans a budget with you.')
    expect(card.textContent).toContain('Hire to get started')
    expect(card.textContent).not.toContain('conversations')
    expect(within(card).getByRole('button', { name: 'Hire Agent' })).toBeTruthy()
  })
})

describe('a hired agent', () => {
  const numbers = { agentId: 'local-1', conversations: 1, completedTasks: 2400, schedules: 0 }

  test('shows its numbers and not its description', () => {
    render(<AgentCard agent={hiredAgent()} numbers={numbers} />)
    const rows = screen.getAllByRole('listitem').map((row) => row.textContent)
    expect(rows).toEqual(['1 conversation', `${(2400).toLocaleString()} tasks completed`, '0 scheduled'])
    expect(screen.queryByText('Hire to get started')).toBeNull()
    expect(screen.queryByText('Plans a budget with you.')).toBeNull()
    expect(screen.queryByRole('button')).toBeNull()
  })

  test('says so when the numbers could not be loaded', () => {
    render(<AgentCard agent={hiredAgent()} numbers="unavailable" />)
    expect(screen.getByText(/not available right now/)).toBeTruthy()
  })

  test('names three tools once each, counts the rest, and marks what is missing', () => {
    const toolDetails = [
      tool('Search', 'web_search'),
      tool('Bank', 'bank_read', false),
      tool('Mail', 'mail_send', false),
      tool('Mail', 'mail_read'),
      tool('Files', 'files_read'),
      tool('Maps', 'maps_find'),
    ]
    render(<AgentCard agent={hiredAgent({ toolDetails })} numbers={numbers} />)
    const chips = within(screen.getByRole('list', { name: 'Tools' })).getAllByRole('listitem')
    expect(chips.map((chip) => chip.textContent)).toEqual([
      'Search',
      'Bank (not available)',
      'Mail',
      '+2 more: Files, Maps',
    ])
  })

  test('has no empty list without tools', () => {
    render(<AgentCard agent={hiredAgent({ toolDetails: [] })} numbers={numbers} />)
    expect(screen.queryByRole('list', { name: 'Tools' })).toBeNull()
  })
})

describe('the avatar', () => {
  test('is ✨ by default', () => {
    render(<AgentCard agent={agent({ avatar_url: null })} numbers="loading" />)
    expect(screen.getByText('✨')).toBeTruthy()
  })

  test('falls back to ✨ when its picture is gone', () => {
    const { container } = render(<AgentCard agent={agent({ avatar_url: '/api/files/7' })} numbers="loading" />)
    const picture = container.querySelector('img')
    expect(picture?.getAttribute('src')).toBe('/api/files/7')
    if (picture) fireEvent.error(picture)
    expect(container.querySelector('img')).toBeNull()
    expect(screen.getByText('✨')).toBeTruthy()
  })
})

test('a name that is cut off can still be read', () => {
  const name = 'Vice President of Correspondence '.repeat(5).trim()
  render(<AgentCard agent={hiredAgent({ name })} numbers="loading" />)
  expect(screen.getByRole('heading', { name }).title).toBe(name)
})
