const ORIENTATION = 0x0112
const SHORT = 3
/** Length of a TIFF structure with one field. */
const LENGTH = 26

/** Returns the orientation in an EXIF structure (2 to 8); `undefined` if it is upright, absent or unreadable. */
const orientationIn = (exif: Buffer): number | undefined => {
  const order = exif.toString('latin1', 0, 2)
  if (exif.length < 8 || (order !== 'II' && order !== 'MM')) return undefined
  const isLittle = order === 'II'
  const short = (at: number) => (isLittle ? exif.readUInt16LE(at) : exif.readUInt16BE(at))
  const first = isLittle ? exif.readUInt32LE(4) : exif.readUInt32BE(4)
  if (first + 2 > exif.length) return undefined
  const fields = Math.min(short(first), Math.floor((exif.length - first - 2) / 12))
  for (let index = 0; index < fields; index++) {
    const at = first + 2 + 12 * index
    if (short(at) !== ORIENTATION || short(at + 2) !== SHORT) continue
    const value = short(at + 8)
    return value >= 2 && value <= 8 ? value : undefined
  }
  return undefined
}

/**
 * Returns an EXIF structure with nothing but the orientation of the one given; `undefined` if the image is upright. The orientation is part
 * of the picture, whereas the other fields tell where, when and with what it was taken, and may contain it uncropped.
 */
export const onlyOrientation = (exif: Buffer): Buffer | undefined => {
  const orientation = orientationIn(exif)
  if (orientation === undefined) return undefined
  const kept = Buffer.alloc(LENGTH)
  kept.write('MM\0*', 'latin1')
  kept.writeUInt32BE(8, 4)
  kept.writeUInt16BE(1, 8)
  kept.writeUInt16BE(ORIENTATION, 10)
  kept.writeUInt16BE(SHORT, 12)
  kept.writeUInt32BE(1, 14)
  kept.writeUInt16BE(orientation, 18)
  return kept
}
