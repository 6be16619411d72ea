import { crc32 } from 'node:zlib'
import { BROKEN, endsAt, joined, NotAnImage, type RasterImage } from './format.ts'
import { onlyOrientation } from './orientation.ts'

export const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Chunks that say how the picture looks. All others are metadata, or of programs that nobody else knows. */
const KEPT = new Set(
  ['IHDR PLTE IDAT IEND tRNS bKGD sBIT pHYs', 'gAMA cHRM sRGB iCCP cICP mDCV cLLI', 'acTL fcTL fdAT']
    .join(' ')
    .split(' '),
)

const chunk = (type: string, data: Buffer): Buffer => {
  const made = Buffer.alloc(data.length + 12)
  made.writeUInt32BE(data.length)
  made.write(type, 4, 'latin1')
  data.copy(made, 8)
  made.writeUInt32BE(crc32(made.subarray(4, data.length + 8)), data.length + 8)
  return made
}

/** Reads a PNG, animated or not. */
export const png = (content: Buffer): RasterImage => {
  if (content.toString('latin1', 12, 16) !== 'IHDR') throw new NotAnImage(BROKEN)
  const pieces = [content.subarray(0, PNG.length)]
  let [at, frames, type] = [PNG.length, 1, '']
  while (type !== 'IEND') {
    const length = content.readUInt32BE(at)
    type = content.toString('latin1', at + 4, at + 8)
    if (type === 'acTL') frames = content.readUInt32BE(at + 8)
    const exif = type === 'eXIf' ? onlyOrientation(content.subarray(at + 8, at + 8 + length)) : undefined
    if (exif) pieces.push(chunk(type, exif))
    else if (KEPT.has(type)) pieces.push(content.subarray(at, at + length + 12))
    at += length + 12
  }
  endsAt(content, at)
  return {
    ...{ type: 'image/png', width: content.readUInt32BE(16), height: content.readUInt32BE(20), frames },
    content: joined(pieces, content),
  }
}
