import type { MarkupElement } from '../../../domain/pages/markup/tree.ts'

const SERIF = 'ui-serif,Georgia,Cambria,"Times New Roman",serif'
const SANS = 'ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif'
const CONDENSED = 'Impact,"Arial Narrow",system-ui,sans-serif'
const SCRIPT = '"Brush Script MT","Segoe Script",cursive'

const named = (names: string, stack: string): readonly (readonly [string, string])[] =>
  names.split(', ').map((name) => [name.toLowerCase(), `"${name}",${stack}`])

/** Stacks of the fonts that the markup names. Where the font is not installed, one that every system has stands in for it. */
const STACKS: ReadonlyMap<string, string> = new Map([
  ...named('Playfair Display, Cormorant Garamond, DM Serif Display, Fraunces, Libre Baskerville, Merriweather', SERIF),
  ...named('Bebas Neue, Oswald, Anton', CONDENSED),
  ...named('Lobster, Pacifico', SCRIPT),
  ...named(
    'Space Grotesk, Outfit, Syne, Poppins, Montserrat, Inter, Work Sans, Source Sans Pro, Lato, Nunito, Quicksand, IBM Plex Sans, Open Sans, Roboto',
    SANS,
  ),
])

/** Collects the fonts of a page while it is rendered. */
export class Fonts {
  readonly #used = new Set<string>()

  /** Returns the stack of a font that an attribute names. */
  stackOf({ attributes }: MarkupElement, name: string): string | undefined {
    const stack = STACKS.get(attributes.get(name)?.trim().toLowerCase() ?? '')
    if (stack) this.#used.add(stack.slice(1, stack.indexOf('"', 1)))
    return stack
  }

  /** Returns the address of a style sheet with all of them; `undefined` when there is none. */
  get styleSheet(): string | undefined {
    if (this.#used.size === 0) return undefined
    const families = [...this.#used].map((font) => `family=${font.replaceAll(' ', '+')}:wght@400;700`)
    return `https://fonts.googleapis.com/css2?${families.join('&')}&display=swap`
  }
}
