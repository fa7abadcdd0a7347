// English: Markdown, in answers, messages and pages.
import { catalog } from '../catalog'

export const words = catalog('markdown', {
  table: 'Table',
  done: 'Done',
  toDo: 'To do',
  plainText: 'Text',
  copyCode: 'Copy code',
  plainTextInName: 'text',
  codeIn: 'Code: {language}',
  image: 'Image',
  imageOpensInNewTab: '(image, opens in a new tab)',
})
