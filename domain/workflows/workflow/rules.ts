import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, rules } from '../../kernel/decide/rules.ts'
import { differs } from '../../kernel/model/derived-events.ts'
import { idAt } from '../../kernel/values/ids.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { step, version, workflow } from './model.ts'
import { stepRules } from './step-rules.ts'
import { frozen } from './tree.ts'
import { triggerRules } from './trigger-rules.ts'

const { event } = workflow

type Workflow = ActContext<typeof workflow>

/** Disables a workflow that is archived. */
const disableArchived = ({ before, after }: DecisionContext<typeof workflow>) =>
  before && after.archived && after.enabled ? { enabled: false } : undefined

/** Publishes the tree as the next version, unless the present version is the same. */
const publish = ({ before, records, ids }: Workflow): Events<typeof workflow> => {
  const steps = frozen(before.tree, (id) => records.one(step, id))
  const present = before.version_id === null ? undefined : records.one(version, before.version_id)
  if (present && !differs(present.steps, steps)) return []
  const filter_ids = records
    .all(step)
    .flatMap(({ settings: { filter_id } }) => (typeof filter_id === 'number' ? filter_id : []))
  const number = before.version_number + 1
  return [
    event.WorkflowVersionPublished({ version_id: idAt(ids, 0), number, steps, filter_ids: [...new Set(filter_ids)] }),
  ]
}

/** Lets contacts in, on the tree as it is now. A workflow that is enabled already goes on with its edits. */
const enable = (context: Workflow): Events<typeof workflow> | Refusal => {
  const { before } = context
  if (before.archived) return refuse.invalid('An archived workflow cannot be enabled.', 'base', 'archived')
  if (before.active_trigger_ids.length === 0) {
    const says = 'A workflow cannot be enabled without at least one active trigger.'
    return refuse.invalid(says, 'base', 'no_trigger')
  }
  return [...publish(context), ...(before.enabled ? [] : [event.WorkflowEnabled()])]
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
  rules: rules(workflow, { save: [disableArchived], acts: { enable, disable, noteCut } }),
  children: [triggerRules, stepRules],
})
