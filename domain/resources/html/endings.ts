import { words } from './words.ts'

/** Elements beyond which the end of an ordinary one has no meaning. */
const SPECIAL = words(
  'address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script search section select source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp foreignobject desc mi mo mn ms mtext annotation-xml',
)

/** Elements beyond which the end of most has no meaning. */
export const SCOPES = words(
  'applet caption html marquee object select table td template th foreignobject desc title mi mo mn ms mtext annotation-xml',
)
const PARAGRAPH_SCOPES = new Set([...SCOPES, 'button'])
const ITEM_SCOPES = new Set([...SCOPES, 'ol', 'ul'])
export const TABLE_SCOPES = words('html table template')

/** Elements whose end counts although others are open in them. */
const BLOCK = words(
  'address applet article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup listing main marquee menu nav object ol pre search section summary ul',
)
export const HEADINGS = words('h1 h2 h3 h4 h5 h6')
const SCOPED = words('button dd dt')
export const TABLE_PARTS = words('caption col colgroup table tbody td tfoot th thead tr')

/** Elements whose end counts only where nothing is open in them: they may have ended without one. */
export const ONLY_LAST = words('optgroup option rb rp rt rtc')

/** Whether an element keeps ends in it from counting for what is around it. */
type IsBarrier = (name: string) => boolean

const isSpecial: IsBarrier = (name) => SPECIAL.has(name)
const isScope: IsBarrier = (name) => SCOPES.has(name)
const isParagraphScope: IsBarrier = (name) => PARAGRAPH_SCOPES.has(name)
const isItemScope: IsBarrier = (name) => ITEM_SCOPES.has(name)
const isTableScope: IsBarrier = (name) => TABLE_SCOPES.has(name)
const isNothing: IsBarrier = () => false

/** Returns which elements keep the end of one from counting. */
export const barrierOf = (name: string): IsBarrier => {
  if (name === 'template') return isNothing
  if (name === 'p') return isParagraphScope
  if (name === 'li') return isItemScope
  if (TABLE_PARTS.has(name)) return isTableScope
  if (BLOCK.has(name) || HEADINGS.has(name) || SCOPED.has(name)) return isScope
  return isSpecial
}

/** Whether anything special keeps the end of an element from counting. */
export const isEasilyBarred = (name: string): boolean => barrierOf(name) === isSpecial

/** Whether the end of an element counts for one of a name: headings end each other. */
export const isOfKind = (one: string, name: string): boolean =>
  one === name || (HEADINGS.has(one) && HEADINGS.has(name))

/** What a beginning ends: one of a kind that is open beside it. */
export interface Ending {
  readonly kind: ReadonlySet<string>
  readonly isBarrier: IsBarrier
}

const IN_ITEMS = words('address div p')
const isAroundItem: IsBarrier = (one) => SPECIAL.has(one) && !IN_ITEMS.has(one)
const DEFINITIONS = words('dd dt')

export const ENDINGS: ReadonlyMap<string, Ending> = new Map([
  ['a', { kind: words('a'), isBarrier: isSpecial }],
  ['li', { kind: words('li'), isBarrier: isAroundItem }],
  ['dd', { kind: DEFINITIONS, isBarrier: isAroundItem }],
  ['dt', { kind: DEFINITIONS, isBarrier: isAroundItem }],
])
export const PARAGRAPH: Ending = { kind: words('p'), isBarrier: barrierOf('p') }

/** Elements of `BLOCK` that end no paragraph, and others that end one. */
const OBJECTS = words('applet marquee object')
const AFTER_PARAGRAPHS = words('dd dt form h1 h2 h3 h4 h5 h6 hr li p plaintext xmp')

/** Whether the beginning of an element ends a paragraph. @param isQuirky whether a table does not */
export const endsParagraph = (name: string, isQuirky: boolean): boolean =>
  name === 'table' ? !isQuirky : AFTER_PARAGRAPHS.has(name) || (BLOCK.has(name) && !OBJECTS.has(name))
