/** Attributes and content that an element of the page markup language accepts. */
export interface ElementRule {
  readonly attributes: ReadonlySet<string>
  /** Children that it may hold. `text`: text with inline elements; `raw`: anything up to the closing tag. */
  readonly content: 'rows' | 'columns' | 'blocks' | 'items' | 'text' | 'raw' | 'none'
}

const rule = (content: ElementRule['content'], attributes: string): ElementRule => ({
  content,
  attributes: new Set(['id', ...attributes.split(' ').filter((name) => name !== '')]),
})

const TEXT =
  'size fontsize align color font weight transform leading spacing margintop margintop-mobile size-mobile fontsize-mobile align-mobile'

export const ELEMENTS: ReadonlyMap<string, ElementRule> = new Map([
  ['section', rule('rows', 'bg bgimage bgprompt padding padding-mobile shadow radius border opacity')],
  ['row', rule('columns', 'cols padding padding-mobile')],
  ['column', rule('blocks', 'bg shadow radius border opacity marginhorizontal marginhorizontal-mobile')],
  [
    'flex',
    rule(
      'blocks',
      'direction justify align gap width height wrap padding margintop margintop-mobile direction-mobile justify-mobile align-mobile wrap-mobile',
    ),
  ],
  ['saved-section', rule('none', 'ref')],
  ['headline', rule('text', TEXT)],
  ['subheadline', rule('text', TEXT)],
  ['paragraph', rule('text', TEXT)],
  ['image', rule('none', 'src prompt alt align width height radius margintop margintop-mobile')],
  ['video', rule('none', 'src')],
  ['divider', rule('none', 'color padding width align')],
  [
    'button',
    rule(
      'text',
      'bg color font fontsize fontsize-mobile radius align style-guide href border margintop margintop-mobile',
    ),
  ],
  ['input', rule('none', 'label type name placeholder required width radius border padding')],
  ['link', rule('text', 'href')],
  ['list', rule('items', 'icon iconcolor size color font margintop margintop-mobile')],
  ['item', rule('text', 'title')],
  [
    'countdown',
    rule(
      'none',
      'type date time timezone bg padding paddinglr radius numbercolor numberfont numbersize numberweight labelcolor labelfont labelsize labelweight margintop margintop-mobile',
    ),
  ],
  ['accordion', rule('items', 'bg textcolor margintop margintop-mobile')],
  ['customhtml', rule('raw', '')],
  ['checkout', rule('none', 'steps')],
  ['order-summary', rule('none', 'linked-checkout-id')],
  ...[
    'confirmation',
    'product-carousel',
    'product-name',
    'product-description',
    'product-price',
    'product-image',
    'product-link',
  ].map((name): [string, ElementRule] => [name, rule('none', '')]),
])

/** Elements inside text. */
export const INLINE: ReadonlyMap<string, ElementRule> = new Map([
  ['b', rule('text', '')],
  ['i', rule('text', '')],
  ['span', rule('text', 'color bg')],
  ['br', rule('none', '')],
])

/** Element that embeds the checkout of a provider to which the workspace must be connected. */
export const NEEDS_CONNECTION = 'whop-checkout'

/** Returns what an element accepts; `undefined` for one that the language does not have. */
export const ruleOf = (name: string): ElementRule | undefined => ELEMENTS.get(name) ?? INLINE.get(name)
