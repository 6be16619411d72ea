import { expect } from 'chai'
import { drawingIn } from '../../../infra/images/drawing/drawing.ts'
import { NotAnImage } from '../../../infra/images/raster/format.ts'

const XMLNS = 'xmlns="http://www.w3.org/2000/svg"'
const svg = (inside: string): string => `<svg ${XMLNS}>${inside}</svg>`
const filled = (piece: string, length: number): string => piece.repeat(Math.ceil(length / piece.length))

/** Input that repeats or nests what a reader could go over again and again, at a given length. */
const REPEATED: Readonly<Record<string, (length: number) => string>> = {
  'spaces before a document': (length) => filled(' ', length) + svg(''),
  'spaces in a declaration': (length) => `<?xml version="1.0"${filled(' ', length)}?>${svg('')}`,
  comments: (length) => filled('<!-- -->', length) + svg(''),
  'openings of comments': (length) => `<!--${filled('<!-', length)}`,
  'openings of comments behind the end': (length) => svg('') + filled('<!--', length),
  'openings of tags': (length) => svg(filled('<', length)),
  'open elements': (length) => `<svg ${XMLNS}>${filled('<g>', length)}`,
  elements: (length) => svg(filled('<g/>', length)),
  attributes: (length) => svg(`<g ${Array.from({ length: length / 10 }, (_, index) => `a${index}="b"`).join(' ')}/>`),
  prefixes: (length) =>
    svg(`<g ${Array.from({ length: length / 20 }, (_, index) => `xmlns:a${index}="b"`).join(' ')}/>`),
  'spaces in an address': (length) => svg(`<rect fill="url(${filled(' ', length)}"/>`),
  'addresses without an end': (length) => svg(`<rect fill="${filled('url(', length)}"/>`),
  'spaces in a link': (length) => svg(`<a href="${filled('&#32;', length)}"/>`),
  'parentheses of a style': (length) => svg(`<style>${filled('(', length)}</style>`),
  'quotes of a style': (length) => svg(`<style>${filled('"', length)}</style>`),
  'comments of a style': (length) => svg(`<style>${filled('/*', length)}</style>`),
  'escapes of a style': (length) => svg(`<style>${filled('\\', length)}</style>`),
  'rules of a style': (length) => svg(`<style>${filled('@media(a){b{c:d}}', length)}</style>`),
  styles: (length) => svg(filled('<style>a{b:c}</style>', length)),
  'declarations of entities': (length) => `<!DOCTYPE svg [${filled('<!ENTITY a "b">', length)}]>${svg('')}`,
  'openings of entities': (length) => `<!DOCTYPE svg [<!ENTITY ${filled(' ', length)}]>${svg('')}`,
  'references to entities': (length) =>
    `<!DOCTYPE svg [<!ENTITY a "b">]>${svg(`<text>${filled('&a;', length)}</text>`)}`,
  'beginnings of references': (length) => svg(`<text>${filled('&', length)}</text>`),
  'sections of character data': (length) => svg(`<text>${filled('<![CDATA[a]]>', length)}</text>`),
  'closing brackets': (length) => svg(`<text><![CDATA[${filled(']', length)}]]></text>`),
  'digits of a size': (length) => `<svg ${XMLNS} width="${filled('1', length)}x" viewBox="${filled(' ', length)}"/>`,
  'data of a picture': (length) => svg(`<image xmlns:xlink="" href="data:image/png;base64,${filled('A', length)}"/>`),
  'filters of a name': (length) => svg(`<text>${filled('<filter', length)}</text>`),
}

/** Shortest of three, in processor time: the machine may be busy. */
const timeOf = (content: Buffer): number => {
  const times = Array.from({ length: 3 }, () => {
    const begun = process.cpuUsage()
    try {
      drawingIn(content)
    } catch (error) {
      expect(error).to.be.instanceOf(NotAnImage)
    }
    const { user, system } = process.cpuUsage(begun)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

const LENGTH = 16 * 1024
const TIMES = 16
/** How much more than in proportion a longer input may take: to collect garbage, and since short times are inexact. */
const TOLERANCE = 4
const SHORTEST_MS = 5

describe('the time to read a drawing', () => {
  for (const [what, input] of Object.entries(REPEATED)) {
    it(`is linear in the length of ${what}`, () => {
      const [short, long] = [timeOf(Buffer.from(input(LENGTH))), timeOf(Buffer.from(input(LENGTH * TIMES)))]
      expect(long, `${LENGTH} bytes take ${short} ms`).to.be.below(Math.max(short, SHORTEST_MS) * TIMES * TOLERANCE)
    })
  }
})
