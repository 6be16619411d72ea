import { BROKEN, endsAt, joined, NotAnImage, type RasterImage } from './format.ts'
import { onlyOrientation } from './orientation.ts'

const KEPT = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const FLAGS = { exif: 0x08, xmp: 0x04 } as const
const EXIF_HEADER = 'Exif\0\0'
/** Length of what stands before the chunks of a frame. */
const FRAME_HEADER = 16

const sizeOf = (content: Buffer): Pick<RasterImage, 'width' | 'height'> => {
  const kind = content.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: content.readUIntLE(24, 3) + 1, height: content.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ') return { width: content.readUInt16LE(26) & 0x3fff, height: content.readUInt16LE(28) & 0x3fff }
  if (kind !== 'VP8L') throw new NotAnImage(BROKEN)
  const bits = content.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

interface Chunk {
  readonly type: string
  readonly data: Buffer
}

const chunksIn = (content: Buffer): readonly Chunk[] => {
  const chunks: Chunk[] = []
  for (let at = 0; at + 8 <= content.length; ) {
    const length = content.readUInt32LE(at + 4)
    chunks.push({
      type: content.toString('latin1', at, at + 4),
      data: content.subarray(at + 8, at + 8 + length),
    })
    at += 8 + length + (length % 2)
  }
  return chunks
}

const written = (chunks: readonly Chunk[]): Buffer =>
  Buffer.concat(
    chunks.flatMap(({ type, data }) => {
      const head = Buffer.alloc(8)
      head.write(type, 'latin1')
      head.writeUInt32LE(data.length, 4)
      return [head, data, Buffer.alloc(data.length % 2)]
    }),
  )

const withoutMetadata = ({ type, data }: Chunk): readonly Chunk[] => {
  if (type === 'EXIF') {
    const hasHeader = data.toString('latin1', 0, EXIF_HEADER.length) === EXIF_HEADER
    const exif = onlyOrientation(hasHeader ? data.subarray(EXIF_HEADER.length) : data)
    return exif ? [{ type, data: exif }] : []
  }
  if (type === 'ANMF') {
    const frame = written(chunksIn(data.subarray(FRAME_HEADER)).filter((inside) => KEPT.has(inside.type)))
    return [{ type, data: Buffer.concat([data.subarray(0, FRAME_HEADER), frame]) }]
  }
  return KEPT.has(type) ? [{ type, data }] : []
}

/** Announces only the metadata that is left. */
const announced = (chunks: readonly Chunk[]): readonly Chunk[] => {
  const hasExif = chunks.some(({ type }) => type === 'EXIF')
  return chunks.map(({ type, data }) => {
    if (type !== 'VP8X') return { type, data }
    const head = Buffer.from(data)
    head[0] = (data.readUInt8(0) & ~(FLAGS.exif | FLAGS.xmp)) | (hasExif ? FLAGS.exif : 0)
    return { type, data: head }
  })
}

/** Reads a WebP, animated or not. */
export const webp = (content: Buffer): RasterImage => {
  const size = sizeOf(content)
  endsAt(content, content.readUInt32LE(4) + 8)
  const chunks = chunksIn(content.subarray(12))
  const frames = chunks.filter(({ type }) => type === 'ANMF').length
  const body = written(announced(chunks.flatMap(withoutMetadata)))
  const head = Buffer.from(content.subarray(0, 12))
  head.writeUInt32LE(body.length + 4, 4)
  return { type: 'image/webp', ...size, frames: Math.max(frames, 1), content: joined([head, body], content) }
}
