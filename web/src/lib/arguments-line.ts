/** Arguments of a tool call in one line: `action: save · content: a page about …`. */
export function argumentsLine(args: Record<string, unknown>): string {
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ')
}
