/** Where the focus goes back to when the hire dialog is closed. */
export function hireButtonId(agentId: string): string {
  return `hire-${agentId}`
}
