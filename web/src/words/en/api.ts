// English: api.
import { catalog } from '../catalog'

export const words = catalog('api', {
  // api/errors
  batonCouldNotBeReached: 'Baton could not be reached. Check your connection and try again.',
  somethingWentWrongTryAgain: 'Something went wrong. Try again.',
  youMayNotDoThis: 'You may not do this.',
  thisDoesNotExistOr: 'This does not exist, or no longer does.',
  tooManyRequests: 'Too many requests.',
  theServerHadAProblem: 'The server had a problem. Try again in a moment.',
  theServerRefusedTheRequest: 'The server refused the request ({status}).',
  // api/words
  triggers: {
    user: 'Switched by a person',
    model: 'Handed off by the agent',
    router: 'Chosen by the router',
    completion: 'Stage or task completed',
    fallback: 'Fallback: the agent is gone',
    rollback: 'Given back: the next agent failed',
  },
  outcomes: {
    completed: 'Completed',
    refused: 'Refused',
    ignored: 'Ignored',
    rolled_back: 'Rolled back',
  },
  refusals: {
    same_agent: 'That agent had the conversation already',
    hop_limit: 'Too many handoffs in one turn',
    loop: 'The agents had handed off back and forth already',
    context_too_large: 'The context that was passed along was too large',
    wrong_variables: 'The context that was passed along did not fit the tool',
    wrong_result: 'The result of the stage did not fit',
    no_tool: 'The agent no longer had the tool',
    target_gone: 'The agent is gone',
    unknown_agent: 'There is no such agent',
    sign_in_required: 'Signing in is required',
    premium_required: 'A premium account is required',
  },
  tryAgainInSeconds: { one: 'Try again in {count} second.', other: 'Try again in {count} seconds.' },
  tryAgainInMinutes: { one: 'Try again in {count} minute.', other: 'Try again in {count} minutes.' },
})
