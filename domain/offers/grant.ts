import { decider } from '../kernel/decide/decider.ts'
import { type ActContext, type Events, rules } from '../kernel/decide/rules.ts'
import type { ClaimRequest } from '../kernel/model/claim.ts'
import { managed } from '../kernel/model/field.ts'
import { moment, reference } from '../kernel/model/fields.ts'
import { model, type RecordOf } from '../kernel/model/model.ts'
import { CART } from '../orders/public.ts'
import { workspace } from '../resources/operations.ts'
import { serve } from '../resources/serve.ts'

const kept = { required: true, onTargetEnd: 'keep' } as const

/** Permission of one visitor to buy what a page offers with one click, by the method of a checkout of their own. */
export const grant = model('offers/grant', {
  attributes: {
    session_id: managed(reference('visits/session', kept)),
    page_id: managed(reference('page', kept)),
    show_page_step_id: managed(reference('funnels/show_page_step', kept)),
    /** The visitor's own checkout, whose method is charged. */
    checkout_id: managed(reference('orders/checkout', kept)),
    expires_at: managed(moment({ required: true })),
    declined_at: managed(moment({ nullable: true })),
  },
  events: {
    OfferGranted: { creates: true, except: ['declined_at'] },
    OfferDeclined: { stamps: 'declined_at' },
  },
})

export type Grant = RecordOf<typeof grant>

/** Name of the cart of a grant. Its checkouts, and its refusal, claim it: only one of them stands. */
export const cartOfGrant = (id: number): string => `offer:${id}`

const decline = ({ before }: ActContext<typeof grant>): Events<typeof grant> =>
  before.declined_at === null ? [grant.event.OfferDeclined()] : []

/** A checkout grants what a step offers once. An offer that is declined cannot be bought any more. */
const claims = ({ id, checkout_id, show_page_step_id, declined_at }: Grant): readonly ClaimRequest[] => [
  {
    scope: 'offers/grant.checkout',
    value: `${checkout_id}/${show_page_step_id}`,
    field: 'checkout_id',
    says: 'The offer was granted before',
  },
  ...(declined_at === null
    ? []
    : [{ scope: CART, value: cartOfGrant(id), field: 'cart', says: 'The offer is being bought, or has been' }]),
]

/** Rules of a grant. */
export const grants = decider(grant, { rules: rules(grant, { acts: { decline } }), claims })

/** Offers::Grant: has no endpoints. */
export const grantResource = serve(grant, grants, {
  ids: 'timeOrdered',
  title: 'Offers::Grant',
  root: 'offers_grant',
  category: 'store',
  under: workspace,
  indexes: [{ fields: ['session_id', 'page_id'] }],
  operations: {},
})
