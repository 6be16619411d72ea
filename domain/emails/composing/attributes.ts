import { QuoteType, Tokenizer } from 'htmlparser2'

/** An attribute in HTML: its decoded value, and where the raw one is. */
export interface FoundAttribute {
  readonly value: string
  readonly start: number
  readonly end: number
}

/** What lies between the name of an attribute and its value. */
const ASSIGNMENT = /\s*=\s*["']?/y

/** Finds an attribute of some elements, in their order. Comments and scripts are passed over. */
export const attributesIn = (
  html: string,
  { elements, attribute }: { readonly elements: readonly string[]; readonly attribute: string },
): readonly FoundAttribute[] => {
  const found: FoundAttribute[] = []
  let isElement = false
  let isAttribute = false
  let start = 0
  let value = ''
  const ignored = () => undefined
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      onopentagname(from, to) {
        isElement = elements.includes(html.slice(from, to).toLowerCase())
      },
      onattribname(from, to) {
        isAttribute = isElement && html.slice(from, to).toLowerCase() === attribute
        ASSIGNMENT.lastIndex = to
        start = to + (ASSIGNMENT.exec(html)?.[0].length ?? 0)
        value = ''
      },
      onattribdata(from, to) {
        value += html.slice(from, to)
      },
      onattribentity(code) {
        value += String.fromCodePoint(code)
      },
      onattribend(quote, to) {
        const end = quote === QuoteType.Single || quote === QuoteType.Double ? to - 1 : to
        if (isAttribute && end >= start) found.push({ value, start, end })
        isAttribute = false
      },
      ...{ oncdata: ignored, onclosetag: ignored, oncomment: ignored, ondeclaration: ignored, onend: ignored },
      ...{ onopentagend: ignored, onprocessinginstruction: ignored, onselfclosingtag: ignored },
      ...{ ontext: ignored, ontextentity: ignored },
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return found
}

/** Returns HTML with the raw values of attributes replaced; `undefined` keeps one. */
export const replaceValues = (
  html: string,
  attributes: readonly FoundAttribute[],
  replace: (value: string, index: number) => string | undefined,
): string => {
  let at = 0
  let replaced = ''
  for (const [index, { value, start, end }] of attributes.entries()) {
    const other = replace(value, index)
    if (other === undefined) continue
    replaced += html.slice(at, start) + other
    at = end
  }
  return replaced + html.slice(at)
}
