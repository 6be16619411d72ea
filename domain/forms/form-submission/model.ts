import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { data, flag, integer, moment, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { textMap } from '../../kernel/model/text-map.ts'

const hidden = { shown: 'never' } as const
/** A log keeps the ids of what has ended. */
const kept = { nullable: true, onTargetEnd: 'keep' } as const

/** Where a visitor was sent after a submission. `thanks`: to a page that thanks and leads back there, since none follows. */
export type NextPage = { readonly page_id: number | null; readonly url: string; readonly thanks?: true }

/** What a visitor sent with the form of a page, as it was sent. */
export const formSubmission = model('form_submission', {
  attributes: {
    contact_id: managed(reference('contact', kept)),
    page_id: managed(reference('page', kept)),
    show_page_step_id: managed(reference('funnels/show_page_step', kept), hidden),
    funnel_id: managed(reference('funnel', kept), hidden),
    session_id: managed(integer(), hidden),
    live_mode: managed(flag({ default: true }), hidden),
    /** Whether the contact is asked to confirm it, and has no say before. */
    awaits_confirmation: managed(flag({ default: false }), hidden),
    confirmed_at: managed(moment(), hidden),
    data: managed(
      textMap({ default: {}, personal: true, about: 'What was entered, by the names of the fields of the page' }),
    ),
    /** Number of fields that were left out, because the page had made up too many names or unsuitable ones. */
    dropped_count: managed(integer({ default: 0 }), hidden),
    /** Key that seals the data: that of the contact, or else of the session, or else of the workspace. */
    person_id: managed(reference('contact', { required: true, onTargetEnd: 'keep' }), hidden),
    /** Used once, so that a form that is sent twice is one submission. */
    nonce: managed(text({ required: true }), hidden),
    /** The answer to the submission, so that a repeat gets the same. */
    next: managed(data<NextPage, { required: true }>(Type.Object({}), { required: true }), hidden),
  },
  events: {
    PageFormSubmitted: { creates: true, except: ['confirmed_at'] },
    PageFormConfirmed: {
      stamps: 'confirmed_at',
      addsData: ({ contact_id, page_id, show_page_step_id, funnel_id }) => ({
        ...{ contact_id, page_id, show_page_step_id, funnel_id },
      }),
    },
  },
  person: 'person_id',
  unique: [{ attributes: ['nonce'], says: 'Nonce has already been taken' }],
})
