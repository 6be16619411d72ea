import { Parser } from 'htmlparser2'

/** Elements that stand on lines of their own. */
const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote dd div dl dt figcaption figure footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
)

/** Elements whose content nobody reads. */
const UNREAD: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'textarea', 'title', 'head'])

/** Returns the text of HTML: entities are decoded once, blocks and breaks end lines, and what nobody reads is left out. Nesting costs nothing. */
export const plainText = (html: string): string => {
  const lines: string[] = []
  let line = ''
  let unread = 0
  const endLine = () => {
    const text = line.replace(/\s+/g, ' ').trim()
    if (text !== '') lines.push(text)
    line = ''
  }
  const parser = new Parser({
    onopentagname(name) {
      if (UNREAD.has(name)) unread++
      if (name === 'br' || BLOCKS.has(name)) endLine()
    },
    onclosetag(name) {
      if (UNREAD.has(name)) unread--
      if (BLOCKS.has(name)) endLine()
    },
    ontext(text) {
      if (unread === 0) line += text
    },
  })
  parser.end(html)
  endLine()
  return lines.join('\n')
}
