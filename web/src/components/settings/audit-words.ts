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

/** What is known about it beyond its kind and its name, on one line. */
export function auditDetails(details: unknown, isNamed = false): string {
  if (typeof details !== 'object' || details === null) return ''
  return Object.entries(details)
    .filter(([name]) => !(isNamed && name === 'team'))
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}
