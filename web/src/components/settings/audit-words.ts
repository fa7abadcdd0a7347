// What the audit says, as people would. Whatever the server adds later is shown as it names it.

const WORDS: Record<string, string> = {
  'workspace.created': 'made the workspace',
  'workspace.changed': 'changed the workspace’s settings',
  'member.joined': 'joined',
  'member.removed': 'removed a member',
  'member.role_set': 'gave a member another role',
  'invitation.created': 'invited someone',
  'invitation.revoked': 'revoked an invitation',
  'token.created': 'made an API token',
  'token.deleted': 'deleted an API token',
  'agent.created': 'made an agent',
  'agent.changed': 'changed an agent',
  'agent.hired': 'hired an agent',
  'agent.unhired': 'let an agent go',
  'agent.updated': 'updated an agent to its published version',
  'team.created': 'made a team',
  'team.changed': 'changed a team',
  'team.deleted': 'deleted a team',
  'team.hired': 'hired a team',
  'tool.created': 'made a tool',
  'tool.changed': 'changed a tool',
  'tool.deleted': 'deleted a tool',
  'skill.created': 'made a skill',
  'skill.changed': 'changed a skill',
  'skill.deleted': 'deleted a skill',
  'rule.created': 'made a rule',
  'rule.changed': 'changed a rule',
  'rule.deleted': 'deleted a rule',
  'memory.created': 'gave an agent a memory',
  'memory.changed': 'changed a memory',
  'memory.deleted': 'deleted a memory',
  'conversation.deleted': 'deleted a conversation',
  'profile.deleted': 'deleted their account',
}

export function auditWords(action: string): string {
  return WORDS[action] ?? action.replaceAll(/[._]/g, ' ')
}

// By the server's names without what they are counted in or pointed at by. The rest is said as the server names it.
const FIELDS: Record<string, string> = {
  public_spend_cap: 'spend cap of the public chat',
}

/**
 * What it was done to (by its name now, by the one it had when nobody knows it any more, or which settings), and what
 * else is known, on one line.
 */
export function auditSubject(details: unknown, nameNow?: string): { about?: string; more: string } {
  const { name, fields, team, ...rest } = typeof details === 'object' && details !== null ? ({ ...details } as Record<string, unknown>) : {}
  const about = nameNow ?? (typeof name === 'string' ? name : undefined)
  if (about !== undefined) return { about, more: line({ fields, ...rest }) }
  return isWords(fields) ? { about: fields.map(fieldWords).join(', ') || undefined, more: line({ team, ...rest }) } : { more: line({ ...rest, team, name, fields }) }
}

function line(details: Record<string, unknown>): string {
  return Object.entries(details)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}

function fieldWords(field: string): string {
  const name = field.replace(/_(?:usd|id)$/, '')
  return FIELDS[name] ?? name.replaceAll('_', ' ')
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((word) => typeof word === 'string')
}
