import { BROKEN, endsAt, joined, NotAnImage, type RasterImage } from './format.ts'

const [IMAGE, EXTENSION, END] = [0x2c, 0x21, 0x3b]
const [GRAPHIC_CONTROL, APPLICATION] = [0xf9, 0xff]
/** Applications whose extension says how often an animation is repeated. */
const LOOPS = ['NETSCAPE2.0', 'ANIMEXTS1.0']

/** Returns the size of a colour table in bytes, from the flags that announce it. */
const coloursIn = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

/** Returns the offset behind a series of blocks, each of which begins with its length. */
const afterBlocks = (content: Buffer, from: number): number => {
  let at = from
  for (let length = content.readUInt8(at); length > 0; length = content.readUInt8(at)) at += length + 1
  return at + 1
}

/** Whether an extension is part of the picture. Comments and the data of applications are not. */
const isKept = (content: Buffer, at: number): boolean => {
  const label = content.readUInt8(at + 1)
  return (
    label === GRAPHIC_CONTROL || (label === APPLICATION && LOOPS.includes(content.toString('latin1', at + 3, at + 14)))
  )
}

/** Reads a GIF. */
export const gif = (content: Buffer): RasterImage => {
  let [width, height, frames] = [content.readUInt16LE(6), content.readUInt16LE(8), 0]
  let at = 13 + coloursIn(content.readUInt8(10))
  const pieces = [content.subarray(0, at)]
  for (let block = content.readUInt8(at); block !== END; block = content.readUInt8(at)) {
    const begin = at
    if (block === IMAGE) {
      frames += 1
      width = Math.max(width, content.readUInt16LE(at + 1) + content.readUInt16LE(at + 5))
      height = Math.max(height, content.readUInt16LE(at + 3) + content.readUInt16LE(at + 7))
      at = afterBlocks(content, at + 11 + coloursIn(content.readUInt8(at + 9)))
    } else if (block === EXTENSION) at = afterBlocks(content, at + 2)
    else throw new NotAnImage(BROKEN)
    if (block === IMAGE || isKept(content, begin)) pieces.push(content.subarray(begin, at))
  }
  endsAt(content, at + 1)
  pieces.push(content.subarray(at))
  return { type: 'image/gif', width, height, frames, content: joined(pieces, content) }
}
