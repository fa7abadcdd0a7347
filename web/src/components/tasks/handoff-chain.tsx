import { Fragment } from 'react'
import type { TaskTree } from '@/api/types'
import { chain } from './chain'
import { ChainConnector } from './chain-connector'
import { ChainNode } from './chain-node'

/** The agents that worked on it, in order: from the left on wide screens, from the top on small ones. */
export function HandoffChain({ tree }: { tree: TaskTree }) {
  return (
    <div
      role="group"
      aria-label="Chain of agents"
      // Keyboards can only scroll what they can reach.
      tabIndex={0}
      className="relative flex flex-col overflow-x-auto rounded-lg pb-1 lg:flex-row lg:items-start"
    >
      {chain(tree).map(({ task, handoff, router }) => (
        <Fragment key={task.id}>
          {handoff !== undefined && <ChainConnector handoff={handoff} />}
          <div className="shrink-0">
            <ChainNode task={task} router={router} conversationId={tree.conversation_id} />
          </div>
        </Fragment>
      ))}
    </div>
  )
}
