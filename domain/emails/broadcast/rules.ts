import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { type Detail, type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { sendActionRules } from '../send-action/rules.ts'
import { isAddressComplete } from '../settings/view.ts'
import { acts, type Facts, loadActFacts, orderOnCreation } from './acts.ts'
import { broadcast } from './model.ts'
import { type OwnBodies, problemsOfDraft, senderAt, sendersOf } from './readiness.ts'

/** Filter that a request names: its own copy, and the id that it gets. */
export type SentAudience = { readonly id: number; readonly filter: JsonObject }

/** What requests have besides the attributes. */
export interface Sent {
  /** `null`: the broadcast loses its audience. */
  readonly audience: SentAudience | null
  /** Contacts that the request names. */
  readonly recipient_ids: readonly number[]
  /** Texts of the template that the request makes. */
  readonly bodies: OwnBodies
}

type Draft = DecisionContext<typeof broadcast, Sent>

const NO_ADDRESS =
  'A complete business mailing address is required to create marketing emails. ' +
  'GET and PUT /api/v2/workspaces/:workspace_id/emails/settings show and set it.'

const ownOf = ({ bodies }: Draft['wanted']) => bodies && { own: bodies }

const loadFacts = async (context: Draft, read: Reader): Promise<Facts> => {
  const { act, workspaceId, before, after, wanted } = context
  const isSave = act === 'create' || act === 'change'
  const workspace = before?.workspace_id ?? workspaceId
  return {
    ...(await loadActFacts(context, read)),
    senders: isSave ? await sendersOf(workspace, read) : [],
    isComplete: act !== 'create' || (await isAddressComplete(workspace, read.documents)),
    problems: isSave ? await problemsOfDraft(workspace, { before, after, ...ownOf(wanted) }, read) : [],
  }
}

const onlyDrafts = ({ before }: Draft): Refusal | undefined =>
  before && before.status !== 'draft' ? refuse.conflict('Only a draft can be changed', 'status') : undefined

const needsAddress = ({ before }: Draft, { isComplete }: Facts): Refusal | undefined =>
  before || isComplete ? undefined : refuse.invalid(NO_ADDRESS, 'base', 'address')

/** Refuses senders that are not of the workspace, and texts that can be no mail. */
const check = ({ before, after }: Draft, { senders, problems: ofTexts = [] }: Facts): Refusal | undefined => {
  const emails = (['from_email', 'reply_to_email'] as const).flatMap((field): Detail[] => {
    const email = after[field]
    const isKnown = email === null || email === before?.[field] || senderAt(senders, email) !== undefined
    return isKnown ? [] : [{ field, code: 'not_found', message: `${field} is no address of the workspace` }]
  })
  const problems = [...emails, ...ofTexts]
  return problems.length > 0 ? refuse.invalidFields(problems) : undefined
}

/** Sets the audience: contacts, which win over a filter, or a filter. */
const setAudience = ({ wanted: { audience, recipient_ids: ids } }: Draft) => {
  if (ids && ids.length > 0) return { contact_ids: ids, filter_id: null, filter: null }
  if (audience === undefined) return undefined
  return { contact_ids: [], filter_id: audience?.id ?? null, filter: audience?.filter ?? null }
}

const preventRemoval = ({ before }: ActContext<typeof broadcast>): Refusal | undefined =>
  before.status === 'draft' ? undefined : refuse.conflict('Only a draft can be deleted', 'status')

/** Events by which a broadcast and its orders change. */
export type BroadcastEvents = Events<typeof broadcast>

/** Decider of broadcasts, with the orders to send them. */
export const broadcasts = decider(broadcast, {
  rules: rules(broadcast, {
    loadFacts,
    save: [onlyDrafts, needsAddress, check, setAudience, orderOnCreation],
    preventRemoval,
    acts,
    timers: { send: 'begin' },
  }),
  children: [sendActionRules],
})
