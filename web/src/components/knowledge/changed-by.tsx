import { Link } from 'wouter'
import type { KnowledgeVersion } from '@/api/types'
import { ago, dateAndTime } from '@/lib/when'
import { words } from '@/words/en/knowledge'
import { say } from '@/words/say'

/** Who made a version: a person, or an agent for one. */
export function authorOf(version: KnowledgeVersion): string {
  const person = version.profile_name ?? words.someone
  return version.agent_name === null ? person : say(words.agentFor, { agent: version.agent_name, person })
}

const SENTENCES = () => ({
  created: words.createdBy,
  changed: words.changedBy,
  moved: words.movedBy,
  deleted: words.deletedBy,
  restored: words.restoredBy,
  imported: words.importedBy,
})

/** Who changed a page last, and where, if an agent did. */
export function ChangedBy({ version }: { version: KnowledgeVersion }) {
  const sentences = SENTENCES()
  const sentence = say(sentences[version.what as keyof typeof sentences], { name: authorOf(version), time: ago(version.created_at) })
  return (
    <p className="text-sm text-muted wrap-anywhere" title={dateAndTime(version.created_at)}>
      {version.approved_by === null ? sentence : say(words.approvedBy, { sentence, name: version.approved_by })}
      {version.conversation_id !== null && version.agent_id !== null && (
        <>
          {' · '}
          <Link
            to={`/agents/${version.agent_id}?conversation=${version.conversation_id}`}
            className="rounded-sm font-medium text-brand underline decoration-brand/40 underline-offset-3 hover:decoration-brand"
          >
            {words.openConversation}
          </Link>
        </>
      )}
    </p>
  )
}
