import { beginningOf } from '../../kernel/values/characters.ts'
import { escapeHtml } from '../../kernel/values/html.ts'
import { type Attributes, MOST_CHARACTERS } from './read.ts'

const LINKS: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])
const LOADED: ReadonlySet<string> = new Set(['http:', 'https:'])

/** Highest numbers that attributes may have. More columns than this hold browsers up. */
const MOST_CELLS = 100
const MOST_PIXELS = 10_000
const MOST_ITEMS = 1_000_000

const number = (most: number) => (value: string) =>
  /^\s*\d{1,7}\s*$/.test(value) && Number(value) <= most ? String(Number(value)) : undefined
const matching = (form: RegExp) => (value: string) => (form.test(value) ? value : undefined)
const textual = (value: string) => beginningOf(value, MOST_CHARACTERS).replaceAll('\0', '')

type Form = (value: string) => string | undefined

/** Attributes of all elements, and what they can be. */
const COMMON: Readonly<Record<string, Form>> = {
  title: textual,
  dir: matching(/^(?:ltr|rtl|auto)$/i),
  lang: matching(/^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,4}$/i),
}

const CELL = { colspan: number(MOST_CELLS), rowspan: number(MOST_CELLS) }

/** Attributes of single elements. Addresses are not among them. */
const OF: Readonly<Record<string, Readonly<Record<string, Form>>>> = {
  img: { alt: textual, width: number(MOST_PIXELS), height: number(MOST_PIXELS) },
  td: CELL,
  th: CELL,
  ol: { start: number(MOST_ITEMS), reversed: () => '' },
  li: { value: number(MOST_ITEMS) },
  time: { datetime: matching(/^[\dT:+.Z -]{4,40}$/) },
}

/** Writes an attribute. */
export const attribute = (name: string, value: string): string => ` ${name}="${escapeHtml(value)}"`

/** Returns the attributes that an element may have, as HTML. */
export const harmless = (name: string, attributes: Attributes): string => {
  let written = ''
  for (const [key, value] of attributes) {
    const allowed = (OF[name]?.[key] ?? COMMON[key])?.(value)
    if (allowed !== undefined) written += attribute(key, allowed)
  }
  return written
}

const parsed = (value: string | undefined, base: URL | undefined, schemes: ReadonlySet<string>): URL | undefined => {
  if (value === undefined || value.length > MOST_CHARACTERS || !URL.canParse(value, base?.href)) return undefined
  const url = new URL(value, base)
  return schemes.has(url.protocol) ? url : undefined
}

/** Returns where a link leads, as browsers read it; `undefined` for one that nobody should follow. @param base of relative links */
export const linked = (value: string | undefined, base: URL | undefined): URL | undefined => parsed(value, base, LINKS)

/** Returns where an image is, as browsers read it. */
export const located = (value: string | undefined, base: URL | undefined): URL | undefined =>
  parsed(value, base, LOADED)
