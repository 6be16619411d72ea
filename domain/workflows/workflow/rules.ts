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
import { idAt, idIn } from '../../kernel/values/ids.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { REFERRING, type ReferringSetting } from '../steps/index.ts'
import { step, version, workflow } from './model.ts'
import { type OwnRevisions, ownRevisions } from './own-records.ts'
import { stepRules } from './step-rules.ts'
import { type BrokenStep, isTold } from './told-broken.ts'
import { frozen } from './tree.ts'
import { triggerRules } from './trigger-rules.ts'

const { event } = workflow

type Workflow = ActContext<typeof workflow>

/** What enabling a workflow depends on besides its stream. */
interface Facts {
  /** Of the records that its steps have of their own. */
  readonly revisions: OwnRevisions
  /** Versions on which no run is under way. */
  readonly idle: readonly number[]
}

/** Collection of runs, whose model knows that of workflows. */
const RUNS = 'workflows/run'

/** Versions that are looked at when another one is published. */
const MOST_LOOKED_AT = 100

/** Returns the ids of the records that steps name and runs of a version need. */
const keptBy = (records: StreamRecords, list: ReferringSetting['keptBy']): readonly number[] => {
  const settingsOf = REFERRING.filter((one) => one.keptBy === list).map(({ setting }) => setting)
  const named = records.all(step).flatMap(({ settings }) => settingsOf.flatMap((one) => idIn(settings[one]) ?? []))
  return [...new Set(named)]
}

/** Returns the former versions on which no run is under way. A run that begins at this moment finds its version in the log. */
const idleVersions = async ({ records, id }: DecisionContext<typeof workflow>, read: Reader): Promise<number[]> => {
  const present = records.root(workflow)?.version_id
  const former = records.all(version).filter((one) => one.id !== present)
  const found = await Promise.all(
    former.slice(0, MOST_LOOKED_AT).map(async ({ id: version_id }) => {
      const where = { active_in: id, version_id }
      return (await read.documents.find(RUNS, { where, limit: 1 })).length === 0 ? [version_id] : []
    }),
  )
  return found.flat()
}

const loadFacts = async (context: DecisionContext<typeof workflow>, read: Reader): Promise<Facts> => {
  if (context.act !== 'enable') return { revisions: new Map(), idle: [] }
  const revisions = await ownRevisions(context.records.all(step), (kind, ids) => read.documents.getMany(kind, ids))
  return { revisions, idle: await idleVersions(context, read) }
}

/** Disables a workflow that is archived. */
const disableArchived = ({ before, after }: DecisionContext<typeof workflow>) =>
  before && after.archived && after.enabled ? { enabled: false } : undefined

/** Publishes the tree as the next version, unless the present version is the same. Former versions that no run needs are retired then. */
const publish = ({ before, records, ids }: Workflow, { revisions, idle }: Facts): Events<typeof workflow> => {
  const steps = frozen(before.tree, (id) => records.one(step, id), revisions)
  const present = before.version_id === null ? undefined : records.one(version, before.version_id)
  if (present && !differs(present.steps, steps)) return []
  const used = { filter_ids: keptBy(records, 'filter_ids'), template_ids: keptBy(records, 'template_ids') }
  return [
    event.WorkflowVersionPublished({ version_id: idAt(ids, 0), number: before.version_number + 1, steps, ...used }),
    ...(idle.length > 0 ? [event.WorkflowVersionsRetired({ version_ids: idle })] : []),
  ]
}

/** Lets contacts in, on the tree as it is now. A workflow that is enabled already goes on with its edits. */
const enable = (context: Workflow, facts: Facts): Events<typeof workflow> | Refusal => {
  const { before } = context
  if (before.archived) return refuse.invalid('An archived workflow cannot be enabled.', 'base', 'archived')
  if (before.active_trigger_ids.length === 0) {
    const says = 'A workflow cannot be enabled without at least one active trigger.'
    return refuse.invalid(says, 'base', 'no_trigger')
  }
  return [...publish(context, facts), ...(before.enabled ? [] : [event.WorkflowEnabled()])]
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

/** Notes steps that fail for everybody, each once for what is gone, so that the team is told of it once. */
const noteBroken = ({
  before,
  wanted,
}: ActContext<typeof workflow, { readonly broken: readonly BrokenStep[] }>): Events<typeof workflow> => {
  const added = before.enabled ? wanted.broken.filter((one) => !isTold(one, before)) : []
  return added.length === 0 ? [] : [event.WorkflowStepsBroken({ broken: added })]
}

/** Decider of workflows with their triggers, steps and versions. */
export const workflows = decider(workflow, {
  rules: rules(workflow, { loadFacts, save: [disableArchived], acts: { enable, disable, noteCut, noteBroken } }),
  children: [triggerRules, stepRules],
})
