import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { EndedReferences } from '../../resources/reference-policies.ts'
import { CONDITION_KINDS, CONDITIONS, kindOfCondition, losing } from './conditions.ts'
import { trigger, workflow } from './model.ts'
import { type FoundRecords, namedReferences } from './named.ts'
import { CANCELLED } from './trigger-keys.ts'

/** Most triggers of a workflow. */
export const MOST_TRIGGERS = 100

/** Conditions as they were sent, which name records by `NamedRecord`. */
export type WantedTrigger = { readonly named: JsonObject }

type Trigger = DecisionContext<typeof trigger, WantedTrigger>

const references = namedReferences(Object.fromEntries(CONDITIONS.map((name) => [name, kindOfCondition(name)])))

const loadFacts = ({ wanted: { named = {} }, workspaceId }: Trigger, read: Reader): Promise<FoundRecords> =>
  references.find(named, {}, workspaceId, read)

const bounded = ({ before, records }: Trigger) =>
  !before && records.all(trigger).length >= MOST_TRIGGERS
    ? refuse.invalid(`A workflow has at most ${MOST_TRIGGERS} triggers`, 'base', 'too_many')
    : undefined

/** Sets the conditions that were sent. One that is set anew is not lost any more. */
const setConditions = ({ wanted: { named = {} }, after }: Trigger, found: FoundRecords) => {
  const settled = references.settled(named, found)
  if (settled instanceof Refusal) return settled
  return { ...settled, lost_conditions: after.lost_conditions.filter((name) => named[name] === undefined) }
}

/** Keeps a reason only where there is a cancellation that may have one. */
const ownReason = ({ after }: Trigger) =>
  after.event_type_key === CANCELLED ? undefined : { subscription_cancelation_reason: null }

/** Remembers that records of a kind have ended, so that the conditions on them are met by nothing. Their ids stay. */
const loseConditions =
  (kind: string) =>
  ({ id, before, wanted }: ActContext<typeof trigger, EndedReferences>): Events<typeof workflow> => {
    const lost = CONDITIONS.filter(
      (name) => kindOfCondition(name) === kind && wanted.ended_ids.some((one) => one === before[name]),
    )
    const lost_conditions = [...new Set([...before.lost_conditions, ...lost])]
    return lost_conditions.length > before.lost_conditions.length
      ? [workflow.event.TriggerConditionsLost({ trigger_id: id, lost_conditions })]
      : []
  }

const losses = Object.fromEntries(CONDITION_KINDS.map((kind) => [losing(kind), loseConditions(kind)]))

/** Rules of a trigger. */
export const triggerRules = rules(trigger, {
  loadFacts,
  save: [bounded, setConditions, ownReason],
  acts: losses,
})
