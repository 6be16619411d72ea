/** Conditions that are possible on one attribute of contacts. */
export interface Attribute {
  readonly kind: 'text' | 'flag' | 'date' | 'option'
  /** Field of the contact's document, or the name of the personal value. */
  readonly field: string
  /** Clauses that clients may author through the public API; empty when the attribute is not open to them. */
  readonly open: readonly string[]
  /** All clauses of the attribute. */
  readonly clauses: readonly string[]
  /** Whether the values are sealed with the contact. They are found by digests of value and prefix, and compared when opened. */
  readonly personal?: boolean
  /** Collection whose ids the options are. The records must be in the workspace. */
  readonly collection?: string
  /** Records that decide it, in place of the contact's document: those whose field `by` is the option, and that name the contact. */
  readonly related?: { readonly collection: string; readonly by: string }
  /** Words that options are limited to. */
  readonly words?: readonly string[]
}

const DATE = ['eq', 'gte', 'lte', 'btwn', 'nbtwn', 'st', 'nst', 'gt', 'lt', 'exct']
const TEXT = ['eq', 'dne', 'sw', 'ew', 'cont', 'dcont', 'st', 'nst']
const NAMED = ['eq', 'dne', 'in', 'nin']
const OPTION = ['eq', 'dne', 'in', 'nin', 'st', 'nst']

/** Clauses that take no value. */
export const VALUELESS: ReadonlySet<string> = new Set(['st', 'nst'])
/** Clauses that take a number of days ago or from now. */
export const RELATIVE: ReadonlySet<string> = new Set(['gt', 'lt', 'exct'])
/** Clauses that take two dates. */
export const RANGED: ReadonlySet<string> = new Set(['btwn', 'nbtwn'])

const personal = (field: string, open: readonly string[] = ['eq', 'sw']): Attribute => ({
  kind: 'text',
  field,
  open,
  clauses: TEXT,
  personal: true,
})
const date = (field: string, open: readonly string[] = DATE): Attribute => ({
  kind: 'date',
  field,
  open,
  clauses: DATE,
})
const flag = (field: string, open: readonly string[]): Attribute => ({
  kind: 'flag',
  field,
  open,
  clauses: ['eq', 'dne', 'st', 'nst'],
})
const option = (
  field: string,
  open: readonly string[],
  more: Pick<Attribute, 'collection' | 'words'> = {},
): Attribute => ({
  kind: 'option',
  field,
  open,
  clauses: OPTION,
  ...more,
})

/** Makes an attribute whose options are records that the contact has to do with, by records in between. */
const related = (
  field: string,
  open: readonly string[],
  collection: string,
  between: NonNullable<Attribute['related']>,
): Attribute => ({ kind: 'option', field, open, clauses: NAMED, collection, related: between })

const ofBroadcast = (field: string, by: string): Attribute =>
  related(field, ['eq', 'in'], 'emails/broadcast', { collection: 'emails/delivery', by })
const ofWorkflow = (field: string, by: string): Attribute =>
  related(field, NAMED, 'workflow', { collection: 'workflows/run', by })

const SUPPRESSIONS = ['bounced', 'complained', 'invalid', 'manual', 'unsubscribed']

const ATTRIBUTES: Readonly<Record<string, Attribute>> = {
  email_address: personal('email_address'),
  first_name: personal('first_name'),
  last_name: personal('last_name'),
  phone_number: personal('phone_number', []),
  anonymous: flag('anonymous', ['eq', 'dne']),
  is_active: flag('is_active', []),
  time_zone: { kind: 'text', field: 'time_zone', open: [], clauses: TEXT },
  created_at: date('created_at'),
  updated_at: date('updated_at', []),
  unsubscribed_at: date('unsubscribed_at'),
  last_activity: date('last_activity_at'),
  'tags.id': option('tag_ids', NAMED, { collection: 'contacts/tag' }),
  has_affiliate_attribution: flag('has_affiliate_attribution', ['eq', 'dne', 'st', 'nst']),
  has_active_affiliate_attribution: flag('has_active_affiliate_attribution', ['eq', 'dne', 'st', 'nst']),
  referred_by_affiliate: option('referred_by_affiliate_ids', OPTION),
  email_suppression: option('email_suppression_reason', ['st', 'nst', 'eq', 'in'], { words: SUPPRESSIONS }),
  received_broadcast: ofBroadcast('received_broadcast_ids', 'received_in'),
  opened_broadcast: ofBroadcast('opened_broadcast_ids', 'opened_in'),
  clicked_broadcast: ofBroadcast('clicked_broadcast_ids', 'clicked_in'),
  opted_in_funnel_step: option('opted_in_step_ids', ['eq', 'in'], { collection: 'funnels/show_page_step' }),
  opted_in_funnel_at: option('opted_in_funnel_ids', ['eq', 'in'], { collection: 'funnel' }),
  opted_in_on_standalone_page: option('opted_in_page_ids', ['eq', 'in'], { collection: 'page' }),
  viewed_funnel: option('viewed_funnel_ids', [], { collection: 'funnel' }),
  // Not of the contract.
  viewed_page: option('viewed_page_ids', NAMED, { collection: 'page' }),
  in_workflow: ofWorkflow('in_workflow_ids', 'active_in'),
  completed_workflow: ofWorkflow('completed_workflow_ids', 'completed_in'),
  'courses.id': related('enrolled_course_ids', NAMED, 'course', {
    collection: 'courses/enrollment',
    by: 'enrolled_in',
  }),
  'communities.id': related('joined_community_ids', NAMED, 'community', {
    collection: 'communities/membership',
    by: 'community_id',
  }),
  submitted_form: related('submitted_form_ids', NAMED, 'form', { collection: 'forms/submission', by: 'form_id' }),
}

/** Known attributes of contacts on which no condition is possible here. */
const UNSUPPORTED: ReadonlySet<string> = new Set([
  'segments.id',
  'viewed_product',
  'events.product_id',
  'events.variant_id',
  'events.price_id',
  'products.id',
  'variants.id',
  'prices.id',
  'communities.topic',
  'community_membership',
  'bounced_broadcast',
  'unsubscribed_broadcast',
  'did_not_open_broadcast',
  'custom_attributes',
])

const CUSTOM = /^custom_attributes?\.([^.$]+)$/

/** Returns the conditions that are possible on an attribute, or `undefined` when it is unknown or unsupported. */
export const attributeOf = (name: string): Attribute | undefined => {
  const key = CUSTOM.exec(name)?.[1]
  if (key !== undefined)
    return { kind: 'text', field: `custom_attributes.${key.normalize('NFC')}`, open: [], clauses: TEXT }
  return Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name] : undefined
}

/** Whether an attribute of this name is known, supported or not. */
export const isKnown = (name: string): boolean => attributeOf(name) !== undefined || UNSUPPORTED.has(name)

/** Returns every attribute with all its clauses, for translators that propose filters. */
export const catalogue = (): Readonly<Record<string, readonly string[]>> => ({
  ...Object.fromEntries(Object.entries(ATTRIBUTES).map(([name, { clauses }]) => [name, clauses])),
  'custom_attributes.<key>': TEXT,
})

/** Collections whose records options can name. */
export const OPTION_COLLECTIONS: readonly string[] = [
  ...new Set(Object.values(ATTRIBUTES).flatMap(({ collection }) => (collection ? [collection] : []))),
]
