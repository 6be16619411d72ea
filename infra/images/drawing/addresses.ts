import { checkSize, NotAnImage } from '../raster/format.ts'
import { rasterIn } from '../raster/raster.ts'

const SCRIPT = 'has a script'
const OUTSIDE = 'refers to something outside'

/** Characters that browsers ignore in an address, or before it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: browsers ignore these characters
const IGNORED = /[\u0000-\u0020\u007f]+/g
const IMAGE = /^data:(?:image\/[\w.+-]{1,40})?(?:;[\w=-]{1,40})?;base64,/i
const FONT = /^data:(?:font\/[\w.+-]{1,40}|application\/(?:x-)?font-[\w.+-]{1,40})(?:;[\w=-]{1,40})?[;,]/i

/** Refuses what an address outside of the drawing would do. @throws {NotAnImage} */
export const outside = (address: string): never => {
  throw new NotAnImage(/^(?:javascript|vbscript|data):/i.test(address) ? SCRIPT : OUTSIDE)
}

/**
 * Returns an address that is within the drawing: a part of it, or an image of pixels, whose metadata is removed. The type that it claims
 * does not matter, since its bytes tell it.
 *
 * @throws {NotAnImage} for any other address
 */
export const inside = (address: string): string => {
  const plain = address.replace(IGNORED, '')
  if (plain === '' || plain.startsWith('#')) return plain
  const [head] = IMAGE.exec(plain.slice(0, 200)) ?? []
  if (head === undefined) return outside(plain)
  const image = rasterIn(Buffer.from(plain.slice(head.length), 'base64'))
  if (!image || image.type === 'image/x-icon') return outside(plain)
  checkSize(image)
  return `data:${image.type};base64,${image.content.toString('base64')}`
}

/** Returns an address within the drawing, or a font, in a style. @throws {NotAnImage} for any other address */
export const insideStyle = (address: string): string => {
  const plain = address.replace(IGNORED, '')
  return FONT.test(plain.slice(0, 200)) ? plain : inside(address)
}
