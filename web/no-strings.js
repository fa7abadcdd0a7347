// The lint rules about the texts that people read. `no-strings`: each is in a catalog (src/words/en), not in the code.
// `read-late`: none is copied while modules load, as the language is chosen after that.

/** Attributes and fields that people read, or have read out. */
const READABLE = new Set([
  'action', 'alt', 'aria-description', 'aria-label', 'aria-roledescription', 'aria-valuetext', 'cancel', 'caption', 'description',
  'empty', 'heading', 'hint', 'label', 'message', 'note', 'placeholder', 'problem', 'summary', 'title',
])
/** Fields of other things that have these names too: `heading="h1"`. */
const NOT_READ = /^h[1-6]$/

/** Attributes that only programs read, whatever stands in them. */
const FOR_PROGRAMS = /^(class|className|controlClass|d|href|icon|id|key|name|src|to|type|value|viewBox)$/
/** What stands in them is the same in all languages. */
const SAME_EVERYWHERE = new Set(['code', 'kbd', 'style'])

/** Methods that are given names: of headers, of parts of a text. */
const LOOKS_UP = new Set(['append', 'get', 'has', 'includes', 'set', 'setRequestHeader', 'startsWith', 'endsWith'])

const hasLetters = (text) => /\p{L}/u.test(text)
/** A capital and small letters to begin with, or words that end as sentences do. Names of classes and codes look otherwise. */
const looksLikeText = (text) =>
  /^[\s“‘("]*\p{Lu}[\p{Ll}’']*([\s….,:;?!)]|$)/u.test(text) || /\p{L} (.* )?\p{L}+[.?!…]$/u.test(text)

function textOf(node) {
  if (node.type === 'TemplateLiteral') return node.quasis.map((part) => part.value.cooked).join('0')
  return typeof node.value === 'string' ? node.value : ''
}

/** Where the literal ends up: `{isNew ? 'Create' : 'Save'}` is as good as each of the two. */
function placeOf(node) {
  let inner = node
  let outer = node.parent
  for (;;) {
    const passesOn =
      (outer.type === 'ConditionalExpression' && outer.test !== inner) ||
      outer.type === 'LogicalExpression' ||
      outer.type === 'TSAsExpression' ||
      outer.type === 'TSSatisfiesExpression' ||
      outer.type === 'TemplateLiteral' ||
      outer.type === 'JSXExpressionContainer'
    if (!passesOn) return { inner, outer }
    inner = outer
    outer = outer.parent
  }
}

const nameOf = (node) => (node.type === 'JSXNamespacedName' ? `${node.namespace.name}:${node.name.name}` : node.name)
const elementOf = (node) => (node.type === 'JSXElement' ? node.openingElement.name.name : undefined)

function isText(node) {
  const text = textOf(node)
  if (!hasLetters(text)) return false
  const { inner, outer } = placeOf(node)
  switch (outer.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return !SAME_EVERYWHERE.has(elementOf(outer))
    case 'JSXAttribute': {
      const name = nameOf(outer.name)
      if (FOR_PROGRAMS.test(name)) return false
      return READABLE.has(name) ? !NOT_READ.test(text) : looksLikeText(text)
    }
    case 'CallExpression':
      if (outer.callee.name === 'notify') return outer.arguments[0] === inner
      return !LOOKS_UP.has(outer.callee.property?.name) && looksLikeText(text)
    // Errors of programmers' own.
    case 'NewExpression':
      return !/Error$/.test(outer.callee.name ?? '') && looksLikeText(text)
    case 'Property':
      if (outer.key === inner || outer.key.name === 'icon') return false
      return (READABLE.has(outer.key.name) && hasSpace(text)) || looksLikeText(text)
    case 'BinaryExpression':
      return outer.operator === '+' && looksLikeText(text)
    case 'ImportDeclaration':
    case 'ImportExpression':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'SwitchCase':
    case 'MemberExpression':
    case 'TSLiteralType':
      return false
    default:
      return looksLikeText(text)
  }
}

const hasSpace = (text) => /\p{L} \p{L}/u.test(text) || looksLikeText(text)

export const noStrings = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const report = (node) => {
      context.report({ node, message: 'A text that people read belongs in a catalog: see src/words/en and web/README.md.' })
    }
    const visit = (node) => {
      if (isText(node)) report(node)
    }
    return {
      Literal: visit,
      TemplateLiteral: visit,
      JSXText(node) {
        if (hasLetters(node.value) && !SAME_EVERYWHERE.has(elementOf(node.parent))) report(node)
      },
    }
  },
}

const isCatalog = (source) => /(^|\/)words\/en\//.test(source)

export const readLate = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const catalogs = new Set()
    let depth = 0
    const enter = () => {
      depth += 1
    }
    const leave = () => {
      depth -= 1
    }
    return {
      ImportDeclaration(node) {
        if (isCatalog(node.source.value)) node.specifiers.forEach(({ local }) => catalogs.add(local.name))
      },
      ':function': enter,
      ':function:exit': leave,
      MemberExpression(node) {
        if (depth > 0 || node.parent.type === 'MemberExpression') return
        let root = node.object
        while (root.type === 'MemberExpression') root = root.object
        if (root.type !== 'Identifier' || !catalogs.has(root.name) || !isString(context, node)) return
        context.report({ node, message: 'Read this text in a function: while modules load, the language isn’t chosen yet.' })
      },
    }
  },
}

/** A group of texts stays the same object in every language; only the texts in it are replaced. */
function isString(context, node) {
  const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices
  const type = program.getTypeChecker().getTypeAtLocation(esTreeNodeToTSNodeMap.get(node))
  return type.isStringLiteral() || type.isUnion()
}
