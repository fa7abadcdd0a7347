// Markdown for ears: what a reader would otherwise say as asterisks, backticks and bars.

const FENCE = /^\s*(?:`{3,}|~{3,}).*$/
const RULE = /^\s*(?:(?:[-*_]\s*){3,}|[=-]+)$/
const TABLE_RULE = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/
const LINE_MARK = /^\s*(?:>\s?)*(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?)?/

/** What markdown says, without the marks that make it look like something. Code is said as it is. */
export function plainText(markdown: string): string {
  let isCode = false
  const lines = markdown.split('\n').flatMap((line) => {
    if (FENCE.test(line)) {
      isCode = !isCode
      return []
    }
    if (isCode) return line
    if (RULE.test(line) || TABLE_RULE.test(line)) return []
    return inline(cells(line.replace(LINE_MARK, '')))
  })
  return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n').trim()
}

/** A row of a table is a list of what its cells say. */
function cells(line: string): string {
  if (!/^\s*\|.*\|\s*$/.test(line)) return line
  return line.trim().slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim()).filter((cell) => cell !== '').join(', ')
}

function inline(line: string): string {
  return line
    .split(/(``.+?``|`[^`]+`)/)
    .map((piece) => (piece.startsWith('`') ? piece.replaceAll(/^`+ ?| ?`+$/g, '') : prose(piece)))
    .join('')
}

function prose(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<((?:https?:|mailto:)[^>\s]+)>/g, '$1')
    .replaceAll(/(?<!\\)(\*\*|__|~~)(?=\S)(.*?\S)\1/g, '$2')
    .replaceAll(/(?<![\\*\w])([*_])(?=[^\s*_])(.*?[^\s*_])\1(?![*\w])/g, '$2')
    .replaceAll(/\\([\\`*_{}[\]()#+\-.!|>~])/g, '$1')
}
