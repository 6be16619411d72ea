import { type Ask, ask } from '../../kernel/decide/ask.ts'
import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, rules } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { SoftBounces } from '../contact/event-data.ts'
import { suppression } from './model.ts'
import { isStronger, type SuppressionReason } from './reasons.ts'
import { type SoftBounce, withSoftBounce } from './soft-bounces.ts'

const { event } = suppression

type Happens = Events<typeof suppression>
type Of<Input = unknown> = ActContext<typeof suppression, Input>

/** What became known of a mailbox. */
type Noted = {
  readonly contact_id?: number | null
  readonly reason?: SuppressionReason | null
  readonly note?: string | null
  readonly unsubscribed?: boolean
  /** Mails that came back before, as they were counted elsewhere. */
  readonly soft_bounces?: SoftBounces | null
  readonly soft_bounce?: SoftBounce
}

/** What is known of a mailbox before. */
type Known = Pick<RecordOf<typeof suppression>, 'contact_id' | 'reason' | 'unsubscribed_at' | 'soft_bounces'>

const NOTHING: Known = { contact_id: null, reason: null, unsubscribed_at: null, soft_bounces: null }

/** Returns what happens to a mailbox by what became known of it. A stronger reason replaces a weaker one, in whatever order they become known. */
const learn = (known: Known, noted: Noted, by: string): Happens => {
  const { reason = null, note = null, soft_bounce } = noted
  const before = known.soft_bounces ?? noted.soft_bounces ?? null
  const counted = soft_bounce && withSoftBounce(before, soft_bounce)
  const soft = counted?.soft_bounces ?? (known.soft_bounces === null ? before : null)
  const why = counted?.isDead && !isStronger(reason, 'bounced') ? 'bounced' : reason
  return [
    ...(soft ? [event.MailboxSoftBounced({ soft_bounces: soft })] : []),
    ...(why !== null && isStronger(why, known.reason) ? [event.MailboxSuppressed({ reason: why, note, by })] : []),
    ...(noted.unsubscribed && known.unsubscribed_at === null ? [event.MailboxUnsubscribed({})] : []),
  ]
}

const begin = ({ wanted, actor }: DecisionContext<typeof suppression, Noted & Lifting>): Happens => {
  const { digest = '', contact_id = null, lifts } = wanted
  return [
    event.MailboxNoted({ digest, contact_id }),
    ...learn(NOTHING, wanted, actor.label),
    ...(lifts ? [event.MailboxSuppressionLifted({ note: wanted.note ?? null, by: actor.label })] : []),
  ]
}

const note = ({ before, wanted, actor }: Of<Noted>): Happens => {
  const contactId = wanted.contact_id ?? null
  const isOther = contactId !== null && contactId !== before.contact_id
  return [
    ...(isOther ? [event.MailboxTakenOver({ contact_id: contactId })] : []),
    ...learn(before, wanted, actor.label),
  ]
}

type Lifting = { readonly lifts?: boolean; readonly note?: string | null }

/** Lifts a suppression, also one that only the contact knows. Whoever has unsubscribed stays so. */
const lift = ({ before, wanted, actor }: Of<Lifting>): Happens | Refusal =>
  before.reason === null && before.unsubscribed_at !== null
    ? refuse.invalid('Whoever has unsubscribed comes back by their own word alone', 'base', 'unsubscribed')
    : [event.MailboxSuppressionLifted({ note: wanted.note ?? null, by: actor.label })]

const resubscribe = ({ before }: Of): Happens =>
  before.unsubscribed_at === null ? [] : [event.MailboxResubscribed({})]

/** Decider of what is known of mailboxes. */
export const suppressions = decider(suppression, {
  rules: rules(suppression, { create: begin, change: note, acts: { note, lift, resubscribe } }),
})

/** Returns the command that notes what became known of a mailbox, known or not. Repeating it changes nothing. */
export const noteMailbox = (digest: string, noted: Noted): Ask =>
  ask(suppressions, 'new', 'create', { digest, ...noted }, { ifTaken: 'note' })

/** Returns the command that lifts the suppression of a mailbox, known or not. */
export const liftMailbox = (digest: string, note: string): Ask =>
  ask(suppressions, 'new', 'create', { digest, note, lifts: true }, { ifTaken: 'lift' })
