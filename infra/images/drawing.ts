import { NotAnImage } from './raster.ts'

const BEGINNING = /^\uFEFF?\s*(?:<\?xml\s[^>]*\?>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:svg|!DOCTYPE)[\s>]/
const END = /(?:<\/svg\s*>|\/>)\s*(?:<!--(?:(?!-->)[\s\S])*-->\s*)*$/

/** Content that a drawing must not have: it would run, reach out, or grow while it is read. Answers sandbox drawings as well. */
const FORBIDDEN: readonly (readonly [pattern: RegExp, problem: string])[] = [
  [/<!(?:DOCTYPE|ENTITY)/i, 'declares a document type or entities'],
  [/<\s*(?:[\w-]+:)?(?:script|handler|listener)[\s/>]/i, 'has a script'],
  [/[\s"'/]on[a-z]+\s*=/i, 'has a script'],
  [/(?:java|vb)script\s*:|data\s*:\s*(?!image\/(?:png|jpeg|gif|webp)[;,])/i, 'has a script'],
  [/<\s*(?:[\w-]+:)?(?:foreignObject|iframe|embed|object|audio|video)[\s/>]/i, 'has content that is no drawing'],
  [/(?:href|src)\s*=\s*(["'])\s*(?!\s|#|data:image\/|\1)/i, 'refers to something outside'],
  [/url\(\s*["']?\s*(?![\s"'#]|data:image\/)|@import|<\?xml-stylesheet/i, 'refers to something outside'],
]

const decodeReferences = (text: string): string =>
  text.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (whole, hex?: string, decimal?: string) => {
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole
  })

/**
 * Whether content is a drawing (SVG) that may be kept.
 *
 * @throws {NotAnImage} for one that is cut off, or has a script, foreign content, a reference to something outside, or a document type
 */
export const isSafeDrawing = (content: Buffer): boolean => {
  const text = content.toString('utf8')
  if (!BEGINNING.test(text.slice(0, 65_536))) return false
  const plain = decodeReferences(text)
  const found = FORBIDDEN.find(([pattern]) => pattern.test(plain))
  if (found) throw new NotAnImage(found[1])
  if (!END.test(text.slice(-65_536))) throw new NotAnImage('is not a whole image')
  return true
}
