import { BROKEN, beyondEnd, joined, NotAnImage, type RasterImage } from './format.ts'
import { onlyOrientation } from './orientation.ts'

const [START_OF_SCAN, END_OF_IMAGE, COMMENT] = [0xda, 0xd9, 0xfe]
const [APP0, APP1, APP2, APP14, APP15] = [0xe0, 0xe1, 0xe2, 0xee, 0xef]
const EXIF_HEADER = 'Exif\0\0'
/** Length of the application segment of JFIF without its thumbnail, and where in its data the size of the thumbnail stands. */
const JFIF = { length: 14, thumbnail: 12 } as const

/** Whether a marker begins a frame, which has the size of the picture. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Whether a marker stands alone, without a length: a restart, or one that has no meaning. */
const isAlone = (marker: number): boolean => (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01

const segment = (marker: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

/** Returns what is kept of a segment: all that decoders need, the colour profile and the orientation. */
const withoutMetadata = (marker: number, whole: Buffer): readonly Buffer[] => {
  const data = whole.subarray(4)
  const isNamed = (name: string) => data.toString('latin1', 0, name.length) === name
  if (marker === COMMENT) return []
  if (marker < APP0 || marker > APP15) return [whole]
  if (marker === APP0 && isNamed('JFIF\0') && data.length >= JFIF.length) {
    const kept = Buffer.from(data.subarray(0, JFIF.length))
    kept.fill(0, JFIF.thumbnail)
    return [segment(marker, kept)]
  }
  if (marker === APP1 && isNamed(EXIF_HEADER)) {
    const exif = onlyOrientation(data.subarray(EXIF_HEADER.length))
    return exif ? [segment(marker, Buffer.concat([Buffer.from(EXIF_HEADER, 'latin1'), exif]))] : []
  }
  const isKept = (marker === APP2 && isNamed('ICC_PROFILE\0')) || (marker === APP14 && isNamed('Adobe'))
  return isKept ? [whole] : []
}

/** Returns the offset of the marker behind the compressed data of a scan. */
const afterScan = (content: Buffer, from: number): number => {
  for (let at = content.indexOf(0xff, from); at >= 0; at = content.indexOf(0xff, at + 1)) {
    const marker = content.readUInt8(at + 1)
    if (marker !== 0 && marker !== 0xff && !isAlone(marker)) return at
  }
  throw new NotAnImage(BROKEN)
}

/** Refuses what stands behind the end, except for the zeros and the further pictures with which cameras go on. Neither is kept. */
const checkRest = (rest: Buffer): void => {
  let end = rest.length
  while (end > 0 && rest[end - 1] === 0) end -= 1
  const isPicture = rest.readUInt8(0) === 0xff && rest.readUInt8(1) === 0xd8 && rest.readUInt16BE(end - 2) === 0xffd9
  if (!isPicture) beyondEnd()
}

/** Reads a JPEG. */
export const jpeg = (content: Buffer): RasterImage => {
  const pieces = [content.subarray(0, 2)]
  let size: Pick<RasterImage, 'width' | 'height'> | undefined
  let at = 2
  for (let marker = content.readUInt8(at + 1); marker !== END_OF_IMAGE; marker = content.readUInt8(at + 1)) {
    if (content.readUInt8(at) !== 0xff || isAlone(marker)) throw new NotAnImage(BROKEN)
    if (marker === 0xff) {
      at += 1
      continue
    }
    if (isFrame(marker)) size ??= { width: content.readUInt16BE(at + 7), height: content.readUInt16BE(at + 5) }
    let end = at + 2 + content.readUInt16BE(at + 2)
    if (marker === START_OF_SCAN) end = afterScan(content, end)
    if (end > content.length) throw new NotAnImage(BROKEN)
    pieces.push(...withoutMetadata(marker, content.subarray(at, end)))
    at = end
  }
  if (!size || content.readUInt8(at) !== 0xff) throw new NotAnImage(BROKEN)
  pieces.push(content.subarray(at, at + 2))
  const rest = content.subarray(at + 2)
  if (rest.some((byte) => byte !== 0)) checkRest(rest)
  return { type: 'image/jpeg', ...size, frames: 1, content: joined(pieces, content) }
}
