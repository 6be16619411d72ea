import { escapeHtml } from '../../kernel/values/html.ts'

const HIDDEN = 'display:none;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden'

const HEAD =
  '<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n</head>\n<body>\n'
const FOOT = '\n</body>\n</html>\n'

/** Returns the words behind the subject, which are shown by mail programs and not in the mail. */
export const hiddenWords = (words: string): string => `<div style="${HIDDEN}">${escapeHtml(words)}</div>`

export const pixel = (url: string): string =>
  `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="border:0">`

/** Returns a whole document with parts at the beginning and the end of its body. */
export const documentWith = (html: string, first: string, last: string): string => {
  if (!/<html[\s>]/i.test(html) && !/<body[\s>]/i.test(html)) return `${HEAD}${first}${html}${last}${FOOT}`
  const opening = /<body(?:\s[^>]*)?>/i.exec(html)
  const begin = opening ? opening.index + opening[0].length : undefined
  const withFirst = begin === undefined ? first + html : html.slice(0, begin) + first + html.slice(begin)
  const end = withFirst.search(/<\/body\s*>(?![\s\S]*<\/body\s*>)/i)
  return end < 0 ? withFirst + last : withFirst.slice(0, end) + last + withFirst.slice(end)
}
