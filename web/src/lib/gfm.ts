// Tables, task lists, footnotes, strikethrough and bare links in Markdown. This is remark-gfm without the half that writes
// Markdown: nothing here writes it, and every chat would load it.
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

/** What remark-parse reads. */
interface Extensions {
  micromarkExtensions?: unknown[]
  fromMarkdownExtensions?: unknown[]
}

export function readGfm(this: { data: () => object }) {
  const data: Extensions = this.data()
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), gfm()]
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmFromMarkdown()]
}
