import { memo } from 'react'
import type { AgentMessage as Message } from '@/chat/types'
import type { ForkPoint } from '@/api/types'
import { AgentMessage } from './agent-message'
import { UserMessage } from './user-message'

export interface MessageProps {
  message: Message
  /** Another spoke before: say who this is. */
  introduces: boolean
  /** A person chose this agent, and it says its greeting: nobody asked for an answer. */
  greets: boolean
  /** Where this message is one of several versions. */
  versions: ForkPoint | undefined
  /** Among the newest: what can be done with it is shown without being asked for. */
  recent: boolean
  /** Nothing came after it. */
  last: boolean
  /** On its way: the server may not have it, so nothing can be made of it yet. */
  pending: boolean
  /** Of the last turn, where it is known: how the answer came about. */
  taskId: string | undefined
}

/** One message, the same while it streams and when it is finished. */
export const MessageView = memo(function MessageView(props: MessageProps) {
  const { role, imported } = props.message
  return (
    <>
      {imported === true && <p className="mb-2 text-center text-xs text-muted">Imported, not said here</p>}
      {role === 'user' ? <UserMessage {...props} /> : <AgentMessage {...props} />}
    </>
  )
})
