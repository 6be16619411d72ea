import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { data, flag, integer } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

type Weights = readonly [number, number]

/** Decision of a split at the entry of a funnel for one visitor. It is counted when it is made, however the visitor fares afterwards. */
export const placement = model('visits/placement', {
  attributes: {
    funnel_id: managed(integer({ required: true })),
    split_id: managed(integer({ required: true })),
    /** 0: the first variant, or the branch of those who match; 1: the other one. */
    branch: managed(integer({ required: true })),
    /** Step and page that the visitor was sent to; none in events from before they were kept. */
    show_page_step_id: managed(integer()),
    page_id: managed(integer()),
    /** Weights of the variants at this moment; `null` for a conditional split. */
    weights: managed(data<Weights | null, { readonly nullable: true }>(Type.Array(Type.Integer()), { nullable: true })),
    live_mode: managed(flag({ default: false })),
    /** Whether the visitor had a place before, in a variant that is off now. */
    again: managed(flag({ default: false })),
  },
  events: { EntryPlaced: { creates: true } },
})
