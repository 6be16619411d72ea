import { BROKEN, endsAt, joined, NotAnImage, type RasterImage, startsWith } from './format.ts'
import { PNG, png } from './png.ts'

const [HEAD, ENTRY] = [6, 16]
/** Length of the header of a bitmap. */
const BITMAP = 40

interface Picture extends Pick<RasterImage, 'width' | 'height' | 'content'> {
  readonly end: number
}

const pictureAt = (content: Buffer, entry: number, firstOffset: number): Picture => {
  const [bytes, offset] = [content.readUInt32LE(entry + 8), content.readUInt32LE(entry + 12)]
  const picture = content.subarray(offset, offset + bytes)
  if (offset < firstOffset || picture.length < bytes) throw new NotAnImage(BROKEN)
  const end = offset + bytes
  if (startsWith(picture, PNG)) return { ...png(picture), end }
  if (picture.readUInt32LE(0) !== BITMAP) throw new NotAnImage(BROKEN)
  // The height of a bitmap in an icon includes its mask.
  return { width: picture.readInt32LE(4), height: picture.readInt32LE(8) / 2, content: picture, end }
}

/** Reads an icon of one or more pictures. */
export const icon = (content: Buffer): RasterImage => {
  const count = content.readUInt16LE(4)
  if (count === 0) throw new NotAnImage(BROKEN)
  const directory = HEAD + ENTRY * count
  const pictures: Picture[] = []
  let total = directory
  for (let index = 0; index < count; index++) {
    const picture = pictureAt(content, HEAD + ENTRY * index, directory)
    pictures.push(picture)
    total += picture.content.length
    // Pictures that lie over one another could be read many thousand times.
    if (total > content.length) throw new NotAnImage(BROKEN)
  }
  endsAt(content, Math.max(...pictures.map(({ end }) => end)))
  const head = Buffer.from(content.subarray(0, directory))
  let at = directory
  for (const [index, picture] of pictures.entries()) {
    head.writeUInt32LE(picture.content.length, HEAD + ENTRY * index + 8)
    head.writeUInt32LE(at, HEAD + ENTRY * index + 12)
    at += picture.content.length
  }
  return {
    type: 'image/x-icon',
    width: Math.max(...pictures.map(({ width }) => width)),
    height: Math.max(...pictures.map(({ height }) => height)),
    frames: 1,
    content: joined([head, ...pictures.map((picture) => picture.content)], content),
  }
}
