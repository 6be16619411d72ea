import { words } from './words.ts'

/** Elements whose content is not for readers, or would be read in another way by browsers. They are left out with it. */
export const UNREAD = words(
  'applet audio canvas datalist frameset head iframe math noembed noframes noscript object optgroup option plaintext script select style svg template textarea title video xmp',
)

/** Elements of `UNREAD` that can end with their own tag. */
export const SELF_CLOSING = words('math svg')

/** Allowed elements without content. */
export const VOID = words('br hr img wbr')

/** Elements that authors may use. */
export const ALLOWED = words(
  'a abbr b bdi bdo blockquote br caption cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre q rp rt ruby s samp small span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr',
)

/** Elements that stand on lines of their own. */
export const BLOCKS = words(
  'address article aside blockquote br caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul',
)

/** How an element begins among those that are open. */
export interface Beginning {
  /** Elements of which one must be open. What is open in the innermost ends. */
  readonly inside?: ReadonlySet<string>
  /** Elements that end before it begins, with all that is open in them. */
  readonly ends?: ReadonlySet<string>
  /** Elements beyond which no open one is looked for. */
  readonly until: ReadonlySet<string>
}

const CELLS = words('td th caption')
const TABLE = words('table')
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

/** Elements that mean something inside others alone, and those that end others by their beginning, as browsers have it. */
const BEGINNINGS: ReadonlyMap<string, Beginning> = new Map<string, Beginning>([
  ['li', { inside: words('ul ol'), until: words('table dl td th caption') }],
  ...['dt', 'dd'].map((name) => [name, { inside: words('dl'), until: words('table ul ol td th caption') }] as const),
  ...['td', 'th'].map((name) => [name, { inside: words('tr'), until: TABLE }] as const),
  ['tr', { inside: words('table thead tbody tfoot'), until: TABLE }],
  ...['tbody', 'thead', 'tfoot', 'caption'].map((name) => [name, { inside: TABLE, until: TABLE }] as const),
  ...['rt', 'rp'].map((name) => [name, { inside: words('ruby'), until: CELLS }] as const),
  ['table', { ends: words('p table'), until: CELLS }],
  ['a', { ends: words('a'), until: CELLS }],
  ...HEADINGS.map((name) => [name, { ends: new Set([...HEADINGS, 'p']), until: CELLS }] as const),
])

const BLOCK: Beginning = { ends: words('p'), until: CELLS }

/** Returns how an element begins; `undefined`: anywhere, and it ends nothing. */
export const beginningOf = (name: string): Beginning | undefined =>
  BEGINNINGS.get(name) ?? (name !== 'br' && BLOCKS.has(name) ? BLOCK : undefined)
