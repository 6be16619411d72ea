import type { MarkupElement } from '../../../domain/pages/markup/tree.ts'

/** Reads an attribute of an element; `undefined` for one that is missing or has a value that the language does not have. */
export type Value = (element: MarkupElement, name: string) => string | undefined

const HEX = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i
const RGB = /^rgba?\(\s*[\d.]+%?(?:\s*,\s*[\d.]+%?){2,3}\s*\)$/i
const GRADIENT =
  /^linear-gradient\(\s*-?\d{1,4}(?:\.\d+)?deg(?:\s*,\s*#[0-9a-f]{3,8}(?:\s+\d{1,3}(?:\.\d+)?%)?){2,8}\s*\)$/i
const NUMBER = /^-?\d{1,5}(?:\.\d{1,3})?$/
const LENGTH = /^(\d{1,5}(?:\.\d{1,3})?)(px|%|rem)?$/

/** Gradients with a name (rules of the markup, presets). */
const PRESETS: Readonly<Record<string, string>> = {
  sunset: 'linear-gradient(135deg,#ff512f,#dd2476)',
  ocean: 'linear-gradient(135deg,#2193b0,#6dd5ed)',
  forest: 'linear-gradient(135deg,#134e5e,#71b280)',
  fire: 'linear-gradient(135deg,#f7971e,#ffd200)',
  midnight: 'linear-gradient(135deg,#232526,#414345)',
  royal: 'linear-gradient(135deg,#141e30,#243b55)',
  peach: 'linear-gradient(135deg,#ed8966,#ffb347)',
  sky: 'linear-gradient(180deg,#87ceeb,#ffffff)',
}

const own = <T>(table: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

const reading =
  (read: (text: string) => string | undefined): Value =>
  ({ attributes }, name) => {
    const text = attributes.get(name)?.trim()
    return text === undefined || text === '' ? undefined : read(text)
  }

/** Reads one of the values of a table. */
export const oneOf = (table: Readonly<Record<string, string>>): Value =>
  reading((text) => own(table, text.toLowerCase()))

/** Reads one of some words, as it is. */
export const word = (words: string): Value => {
  const known = new Set(words.split(' '))
  return reading((text) => (known.has(text.toLowerCase()) ? text.toLowerCase() : undefined))
}

const colorIn = (text: string): string | undefined =>
  HEX.test(text) || RGB.test(text) || text === 'transparent' ? text : undefined

export const color = reading(colorIn)
export const background = reading(
  (text) => colorIn(text) ?? own(PRESETS, text.toLowerCase()) ?? (GRADIENT.test(text) ? text : undefined),
)

const pixels = (text: string): string | undefined => {
  const number = text.replace(/px$/i, '')
  return NUMBER.test(number) ? `${Number(number)}px` : undefined
}

/** Number of pixels, with or without unit. */
export const px = reading(pixels)

/** One or two numbers of pixels: vertical and horizontal. */
export const spacing = reading((text) => {
  const parts = text.split(/\s+/).map(pixels)
  return parts.length <= 4 && parts.every((part) => part !== undefined) ? parts.join(' ') : undefined
})

/** Width or height: pixels, a share, or `auto`. A number alone means pixels. */
export const length = reading((text) => {
  if (text.toLowerCase() === 'auto') return 'auto'
  const [, number, unit = 'px'] = LENGTH.exec(text.toLowerCase()) ?? []
  return number === undefined ? undefined : `${number}${unit}`
})

/** Size of a font, which needs its unit. */
export const fontSize = reading((text) =>
  /^\d{1,4}(?:\.\d{1,3})?(?:px|rem)$/i.test(text) ? text.toLowerCase() : undefined,
)

/** Share of 100, as a fraction of 1. */
export const share = reading((text) =>
  /^\d{1,3}$/.test(text) && Number(text) <= 100 ? String(Number(text) / 100) : undefined,
)

const RADII: Readonly<Record<string, string>> = {
  none: '0',
  sm: '4px',
  md: '8px',
  lg: '16px',
  xl: '24px',
  full: '9999px',
}
export const radius = reading((text) => own(RADII, text.toLowerCase()) ?? pixels(text))
export const shadow = oneOf({
  none: 'none',
  sm: '0 1px 3px rgba(0,0,0,.16)',
  md: '0 4px 12px rgba(0,0,0,.14)',
  lg: '0 12px 32px rgba(0,0,0,.18)',
})

const BORDERS: Readonly<Record<string, string>> = {
  none: '0',
  thin: '1px solid currentColor',
  medium: '2px solid currentColor',
  thick: '4px solid currentColor',
}
const OWN_BORDER = /^(\d{1,2})(?:px)?\s+(solid|dashed|dotted|double)\s+(#[0-9a-f]{3,8})$/i
export const border = reading((text) => {
  const [, width, style, hex] = OWN_BORDER.exec(text) ?? []
  return width === undefined ? own(BORDERS, text.toLowerCase()) : `${width}px ${style} ${hex}`
})

/** Reads `true`; everything else is not. */
export const isTrue = ({ attributes }: MarkupElement, name: string): boolean => attributes.get(name) === 'true'
