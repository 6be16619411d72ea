import { template } from '../../emails/template/model.ts'
import { decider } from '../../kernel/decide/decider.ts'
import {
  type ActContext,
  type DecisionContext,
  type Events,
  type Reader,
  rules,
  type StreamRecords,
} from '../../kernel/decide/rules.ts'
import { differs } from '../../kernel/model/derived-events.ts'
import type { Json } from '../../kernel/values/event.ts'
import { idAt, idIn } from '../../kernel/values/ids.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { step, version, workflow } from './model.ts'
import { stepRules } from './step-rules.ts'
import { frozen } from './tree.ts'
import { triggerRules } from './trigger-rules.ts'

const { event } = workflow

type Workflow = ActContext<typeof workflow>

/** Revisions of the templates of e-mails, by their ids. An edit of a text is published as one of the step is. */
type MailRevisions = ReadonlyMap<Json | undefined, number>

/** Returns the ids that a setting of steps names. */
const namedBy = (records: StreamRecords, setting: string): readonly number[] => [
  ...new Set(records.all(step).flatMap(({ settings }) => idIn(settings[setting]) ?? [])),
]

const loadFacts = async ({ act, records }: DecisionContext<typeof workflow>, read: Reader): Promise<MailRevisions> => {
  const used = act === 'enable' ? await read.many(template, namedBy(records, 'template_id')) : []
  return new Map(used.map(({ id, rev }) => [id, rev]))
}

/** Disables a workflow that is archived. */
const disableArchived = ({ before, after }: DecisionContext<typeof workflow>) =>
  before && after.archived && after.enabled ? { enabled: false } : undefined

/** Publishes the tree as the next version, unless the present version is the same. */
const publish = ({ before, records, ids }: Workflow, mails: MailRevisions): Events<typeof workflow> => {
  const steps = frozen(before.tree, (id) => records.one(step, id), mails)
  const present = before.version_id === null ? undefined : records.one(version, before.version_id)
  if (present && !differs(present.steps, steps)) return []
  const used = { filter_ids: namedBy(records, 'filter_id'), template_ids: namedBy(records, 'template_id') }
  return [
    event.WorkflowVersionPublished({ version_id: idAt(ids, 0), number: before.version_number + 1, steps, ...used }),
  ]
}

/** Lets contacts in, on the tree as it is now. A workflow that is enabled already goes on with its edits. */
const enable = (context: Workflow, mails: MailRevisions): Events<typeof workflow> | Refusal => {
  const { before } = context
  if (before.archived) return refuse.invalid('An archived workflow cannot be enabled.', 'base', 'archived')
  if (before.active_trigger_ids.length === 0) {
    const says = 'A workflow cannot be enabled without at least one active trigger.'
    return refuse.invalid(says, 'base', 'no_trigger')
  }
  return [...publish(context, mails), ...(before.enabled ? [] : [event.WorkflowEnabled()])]
}

const disable = ({ before }: Workflow): Events<typeof workflow> => (before.enabled ? [event.WorkflowDisabled()] : [])

/** Time for which a workflow does not note the same cut again, in milliseconds. */
const NOTED_FOR_MS = 24 * 60 * 60 * 1000

/** Notes that a chain of workflows which lead to each other was cut, the same one once a day. */
const noteCut = ({
  before,
  wanted: { chain },
  at,
}: ActContext<typeof workflow, { readonly chain: readonly number[] }>) => {
  const { cut_chain, chain_cut_at } = before
  const isNoted = chain_cut_at !== null && Date.parse(at) - Date.parse(chain_cut_at) < NOTED_FOR_MS
  return isNoted && !differs(cut_chain, chain) ? [] : [event.WorkflowChainCut({ cut_chain: chain })]
}

/** Decider of workflows with their triggers, steps and versions. */
export const workflows = decider(workflow, {
  rules: rules(workflow, { loadFacts, save: [disableArchived], acts: { enable, disable, noteCut } }),
  children: [triggerRules, stepRules],
})
