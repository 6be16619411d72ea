/** Pixels of a unit of length, as browsers count them. */
const PIXELS: Readonly<Record<string, number>> = {
  ...{ '': 1, px: 1, pt: 96 / 72, pc: 16, mm: 96 / 25.4, cm: 96 / 2.54, in: 96, q: 96 / 101.6 },
  ...{ em: 16, rem: 16, ex: 8, ch: 8 },
}
const LENGTH = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)([a-z]*)$/i

const lengthIn = (text: string | undefined): number | undefined => {
  const [, number, unit] = LENGTH.exec((text ?? '').slice(0, 50).trim()) ?? []
  const pixels = PIXELS[unit?.toLowerCase() ?? '']
  return number === undefined || pixels === undefined ? undefined : Number(number) * pixels
}

/** Size of a drawing in pixels. */
export interface DrawingSize {
  readonly width: number
  readonly height: number
}

/** Returns the size that the root of a drawing gives it; for one without a size of its own, a single pixel. */
export const drawingSize = (attributes: ReadonlyMap<string, string>): DrawingSize => {
  const [, , width, height] = (attributes.get('viewBox') ?? '')
    .slice(0, 200)
    .trim()
    .split(/[\s,]+/)
  return {
    width: lengthIn(attributes.get('width')) ?? lengthIn(width) ?? 1,
    height: lengthIn(attributes.get('height')) ?? lengthIn(height) ?? 1,
  }
}
