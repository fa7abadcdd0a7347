// A streaming answer as blocks of markdown: those that are finished never change again, so they are rendered once.

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const LIST_ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:\s|$)/
const INDENTED = /^(?: {2,}|\t)/
/** Links and footnotes that are defined elsewhere in the text: such a text must be read as a whole. */
const DEFINITION = /^ {0,3}\[[^\]]+\]:/m

/** Pieces that can be rendered on their own. Joined, they are the text again. */
export function splitBlocks(text: string): string[] {
  if (DEFINITION.test(text)) return [text]
  const blocks: string[] = []
  let block = ''
  let fence: string | null = null
  let isList = false
  let blank = false
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const isBlank = line.trim() === ''
    const continues = isList && (LIST_ITEM.test(line) || INDENTED.test(line))
    if (fence === null && blank && !isBlank && !continues && !INDENTED.test(line)) {
      blocks.push(block)
      block = ''
    }
    if (block.trim() === '' && !isBlank) isList = LIST_ITEM.test(line)
    fence = fenceAfter(line, fence)
    block += line
    blank = isBlank && fence === null
  }
  if (block !== '') blocks.push(block)
  return blocks
}

function fenceAfter(line: string, open: string | null): string | null {
  const mark = FENCE.exec(line)?.[1]
  if (mark === undefined) return open
  if (open === null) return mark
  const closes = mark[0] === open[0] && mark.length >= open.length && line.trim() === mark
  return closes ? null : open
}

/** The block with what is still open closed, so that it doesn't flicker between two looks while it arrives. */
export function closeBlock(block: string): string {
  let fence: string | null = null
  for (const line of block.split('\n')) fence = fenceAfter(line, fence)
  if (fence !== null) return `${block.replace(/\n?$/, '\n')}${fence}`
  // A fence, a heading or an underline of which only the first characters are here.
  const whole = block.replace(/(^|\n) {0,3}(?:`{1,2}|~{1,2}|#{1,6}|-{1,2}|={1,2})$/, '$1')
  const linked = whole.replace(/!?\[([^\]\n]*)(?:\](?:\([^)\n]*)?)?$/, '$1')
  return linked + openMarks(linked.slice(linked.lastIndexOf('\n\n') + 1))
}

/** What closes the code and the emphasis that a paragraph has begun. */
function openMarks(paragraph: string): string {
  const ticks = paragraph.match(/(?<![\\`])`(?!`)/g)?.length ?? 0
  if (ticks % 2 === 1) return '`'
  const prose = paragraph.replace(/`[^`]*`/g, '')
  const strong = prose.match(/(?<!\\)\*\*/g)?.length ?? 0
  return strong % 2 === 1 && !/\*\*\s*$/.test(prose) ? '**' : ''
}
