import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes'
import { BROKEN, NotAnImage } from '../raster/format.ts'
import { inside, outside } from './addresses.ts'
import { ANIMATIONS, ATTRIBUTES, ELEMENTS, FIXED, PLAIN, SCRIPTS, SVG, TEXTS, XLINK, XML } from './allowed.ts'
import { entitiesIn } from './entities.ts'
import { type DrawingSize, drawingSize } from './size.ts'
import { safeStyle } from './style.ts'
import { escapedText, escapedValue, Output, textOf } from './text.ts'

/** The first character of a document, behind the byte order mark of one of three encodings. */
const BEGINNING = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff\0)?\s{0,500}</
/** Deepest nesting. Programs that draw call themselves for each level. */
const MOST_LEVELS = 256
const SCRIPT = 'has a script'
/** Addresses that a link may have, although it leads outside: it is not loaded. It is left out, since no image needs it. */
const LINK = /^(?:https?|mailto|tel):/i

/** Whether a namespace is that of drawings. Old programs name none. */
const isSvg = (uri: string): boolean => uri === SVG || uri === ''

/** Copies a drawing without all that is not known to be harmless. What would run or be loaded is refused, not removed. */
class Sanitiser {
  readonly #output = new Output()
  /** Names of the open elements that are kept; how many are open within one that is left out. */
  readonly #open: string[] = []
  #left = 0
  #style: string | undefined
  /** Whether the last tag has not been closed yet: an element without content needs no second one. */
  #isTagOpen = false
  #isDrawing = false
  #size: DrawingSize = { width: 0, height: 0 }

  /** Whether the root has been found to be a drawing. */
  get isDrawing(): boolean {
    return this.#isDrawing
  }

  get size(): DrawingSize {
    return this.#size
  }

  opened({ local, uri, attributes }: SaxesTagNS): void {
    if (this.#open.length + this.#left >= MOST_LEVELS) throw new NotAnImage('is nested too deeply')
    if (SCRIPTS.has(local.toLowerCase())) throw new NotAnImage(SCRIPT)
    const isRoot = !this.#isDrawing
    if (isRoot && !(local === 'svg' && isSvg(uri))) throw new NotAnImage(BROKEN)
    this.#isDrawing = true
    const given = Object.values(attributes)
    if (isRoot) this.#size = drawingSize(new Map(given.map(({ name, value }) => [name, value])))
    const isWithin = this.#left > 0 || this.#style !== undefined
    if (isWithin || !isSvg(uri) || !ELEMENTS.has(local) || !this.#mayChange(local, given)) {
      this.#left += 1
      return
    }
    this.#open.push(local)
    if (local === 'style') this.#style = ''
    const namespaces = isRoot ? ` xmlns="${SVG}" xmlns:xlink="${XLINK}"` : ''
    this.#write(`<${local}${namespaces}${given.map((one) => this.#attribute(local, one)).join('')}`)
    this.#isTagOpen = true
  }

  closed(): void {
    if (this.#left > 0) {
      this.#left -= 1
      return
    }
    if (this.#style) this.#write(escapedText(safeStyle(this.#style)))
    this.#style = undefined
    const name = this.#open.pop()
    if (this.#isTagOpen) this.#output.write('/>')
    else this.#output.write(`</${name}>`)
    this.#isTagOpen = false
  }

  text(text: string): void {
    if (this.#left > 0 || !TEXTS.has(this.#open.at(-1) ?? '')) return
    if (this.#style === undefined) this.#write(escapedText(text))
    else this.#style += text
  }

  end(): Buffer {
    return this.#output.end()
  }

  /** Writes what is in the element that was opened last. */
  #write(text: string): void {
    if (this.#isTagOpen) this.#output.write('>')
    this.#isTagOpen = false
    this.#output.write(text)
  }

  /** Whether an element is no animation, or changes only what an attribute of a drawing may be changed to. */
  #mayChange(element: string, attributes: readonly SaxesAttributeNS[]): boolean {
    if (!ANIMATIONS.has(element)) return true
    const changed = attributes.find(({ name }) => name === 'attributeName')?.value.trim()
    return changed === undefined || (ATTRIBUTES.has(changed) && !FIXED.has(changed))
  }

  #attribute(element: string, { uri, local, prefix, value }: SaxesAttributeNS): string {
    if (prefix === '' && /^on[a-z]/i.test(local)) throw new NotAnImage(SCRIPT)
    if (local === 'href' && (prefix === '' || uri === XLINK)) return this.#address(element, prefix, value)
    if (uri === XML && (local === 'space' || local === 'lang')) return ` xml:${local}="${escapedValue(value)}"`
    if (prefix !== '' || !ATTRIBUTES.has(local)) return ''
    const isStyle = local === 'style' || (!PLAIN.has(local) && /[(\\]/.test(value))
    return ` ${local}="${escapedValue(isStyle ? safeStyle(value) : value)}"`
  }

  #address(element: string, prefix: string, value: string): string {
    if (element === 'a' && LINK.test(value.trim())) return ''
    const address = inside(value)
    // Only an image may be one of pixels.
    if (address.startsWith('data:') && element !== 'image' && element !== 'feImage') outside(address)
    return ` ${prefix === '' ? 'href' : 'xlink:href'}="${escapedValue(address)}"`
  }
}

const reader = (sanitiser: Sanitiser): SaxesParser<{ xmlns: true }> => {
  const parser = new SaxesParser({ xmlns: true, position: false, additionalNamespaces: { xlink: XLINK } })
  parser.on('error', ({ message }) => {
    throw new NotAnImage(`${BROKEN} (${message.slice(0, 100)})`)
  })
  parser.on('doctype', (doctype) => {
    Object.defineProperties(parser.ENTITIES, Object.getOwnPropertyDescriptors(entitiesIn(doctype)))
  })
  parser.on('processinginstruction', ({ target }) => {
    if (target.toLowerCase() === 'xml-stylesheet') throw new NotAnImage('refers to something outside')
  })
  parser.on('opentag', (tag) => sanitiser.opened(tag))
  parser.on('closetag', () => sanitiser.closed())
  parser.on('text', (text) => sanitiser.text(text))
  parser.on('cdata', (text) => sanitiser.text(text))
  return parser
}

/**
 * Returns a drawing (SVG) that is safe to keep: a new document with only the elements and attributes that drawings are made of, in UTF-8,
 * without a document type, comments, metadata and editors' own data. `undefined` for content that is no drawing.
 *
 * @throws {NotAnImage} for one that is cut off, or has a script or a reference to something outside
 */
export const drawingIn = (content: Buffer): (DrawingSize & { readonly content: Buffer }) | undefined => {
  if (!BEGINNING.test(content.toString('latin1', 0, 1000))) return undefined
  const text = textOf(content)
  const sanitiser = new Sanitiser()
  try {
    reader(sanitiser).write(text).close()
  } catch (error) {
    if (error instanceof NotAnImage && !sanitiser.isDrawing && error.message.startsWith(BROKEN)) return undefined
    throw error
  }
  return { ...sanitiser.size, content: sanitiser.end() }
}

/** Whether a drawing may have a filter. `color-interpolation-filters`, which some programs write everywhere, is none. */
export const hasFilter = (drawing: Buffer): boolean => /filter(?!s)/i.test(drawing.toString('latin1'))
