import { problemsOnSaving } from '../../emails/public.ts'
import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import { differs } from '../../kernel/model/derived-events.ts'
import type { AuthoredMail } from '../../kernel/ports/authored-texts.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { EndedReferences } from '../../resources/reference-policies.ts'
import { locateNode, walkTree } from '../../resources/tree/tree.ts'
import type { StepSettings } from '../steps/effect.ts'
import { isSplitType, REFERRING, type StepTypeName, stepTypeOf } from '../steps/index.ts'
import { isFilled, type SettingsProblem } from '../steps/step-type.ts'
import { giving, step, workflow } from './model.ts'
import { type FoundRecords, foundIn, idsIn } from './named.ts'
import { depthProblem, isPlaced, placeFor, type WantedPlace } from './place.ts'
import type { StepNode, StepTree } from './tree.ts'

const { event } = workflow

/** Most steps of a workflow: more than anyone draws, and few enough to be frozen in one event. */
export const MOST_STEPS = 500

/** Input for a step. Settings name records by `NamedRecord`. */
export type WantedStep = WantedPlace & {
  readonly type?: StepTypeName
  readonly sent?: JsonObject
  /** Id of the record of its own that it gets. */
  readonly own_id?: number
}

type Step = DecisionContext<typeof step, WantedStep>
type StepChange = ActContext<typeof step, Partial<WantedStep>>

export type StepFacts = {
  readonly found: FoundRecords
  readonly currency: string
  /** Why the change is refused, whatever the settings are afterwards. */
  readonly refused?: Refusal
  readonly wrong?: SettingsProblem
}

const typeOf = ({ before, wanted }: Step): StepTypeName | undefined => before?.step_type ?? wanted.type

/** Returns what is wrong with a setting in Liquid that is being changed. Those of a step are tried out together, with those of its own record. */
const problemInLiquid = async (
  { before, workspaceId }: Step,
  type: StepTypeName,
  sent: JsonObject,
  read: Reader,
): Promise<SettingsProblem | undefined> => {
  const { liquid = {}, own } = stepTypeOf(type)
  const had = before?.settings ?? {}
  const ofOwn = (await own?.texts(sent, had, read)) ?? {}
  const mailOf = (settings: JsonObject, rest: AuthoredMail): AuthoredMail => ({
    ...rest,
    ...Object.fromEntries(
      Object.entries(liquid).flatMap(([setting, text]) => {
        const value = settings[setting]
        return typeof value === 'string' ? [[text, value]] : []
      }),
    ),
  })
  const mails = { before: before && mailOf(had, ofOwn), after: mailOf({ ...had, ...sent }, ofOwn) }
  const [problem] = await problemsOnSaving(before?.workspace_id ?? workspaceId, mails, read)
  if (!problem) return undefined
  const setting = Object.keys(liquid).find((name) => liquid[name] === problem.field && isFilled(sent[name]))
  return { setting: setting ?? own?.setting ?? '', says: problem.message }
}

const loadFacts = async (context: Step, read: Reader): Promise<StepFacts> => {
  const { workspaceId, wanted, before } = context
  const type = typeOf(context)
  if (type === undefined || !wanted.sent) return { found: new Map(), currency: '' }
  const sent = flattened(type, wanted.sent)
  const { references, refuses } = stepTypeOf(type)
  const workspace = await read.documents.get('workspace', workspaceId)
  const change = { workspaceId, sent: wanted.sent, before: before?.settings }
  const refused = await refuses?.(change, read.documents)
  const currency = String(workspace?.currency ?? 'USD')
  const wrong = await problemInLiquid(context, type, wanted.sent, read)
  const stored = before?.settings ?? {}
  const found = sent instanceof Refusal ? new Map() : await references.find(sent, stored, workspaceId, read)
  return { found, currency, ...(refused && { refused }), ...(wrong && { wrong }) }
}

/** Refuses a setting, in the words of the contract: `move_step workflow_id cannot reference its own workflow.` */
const refuseSetting = (type: StepTypeName, { setting, says }: SettingsProblem): Refusal =>
  refuse.invalid(`${type} ${setting} ${says}`, `step_type_settings.${type}.${setting}`, 'invalid')

const isProblem = (flat: JsonObject | SettingsProblem): flat is SettingsProblem => 'says' in flat

const flattened = (type: StepTypeName, sent: JsonObject): JsonObject | Refusal => {
  const { flat: flatten, writeOnly = [] } = stepTypeOf(type)
  const flat = flatten?.(sent) ?? sent
  if (isProblem(flat)) return refuseSetting(type, flat)
  return Object.fromEntries(Object.entries(flat).filter(([name]) => !writeOnly.includes(name)))
}

/** Returns which setting names a record that is there and serves no step. */
const unfitIn = (type: StepTypeName, settings: StepSettings, found: FoundRecords): SettingsProblem | undefined => {
  const { refers, kinds } = stepTypeOf(type)
  for (const { field: setting, kind, id } of idsIn(settings, kinds)) {
    const record = foundIn(found, kind, id)
    const says = record && refers[setting]?.unfit?.(record)
    if (says !== undefined) return { setting, says }
  }
  return undefined
}

/** Returns settings with what was sent in them, or why they are refused. */
const settingsAfter = (
  type: StepTypeName,
  before: StepSettings | undefined,
  { sent = {}, own_id: id }: Partial<WantedStep>,
  workflowId: number,
  { found, currency, refused, wrong: inLiquid }: StepFacts,
): StepSettings | Refusal => {
  const { kinds, references, problem, initial, own } = stepTypeOf(type)
  if (refused) return refused
  const flat = flattened(type, sent)
  if (flat instanceof Refusal) return flat
  const settled = references.settled(flat, found)
  if (settled instanceof Refusal) return settled
  const settings = { ...(before ?? initial), ...settled }
  const ofRecords = { workflowId, currency, found: (kind: string, id: Json | undefined) => foundIn(found, kind, id) }
  const wrong = inLiquid ?? problem?.(settings, ofRecords) ?? unfitIn(type, settings, found)
  if (wrong) return refuseSetting(type, wrong)
  return own === undefined || id === undefined
    ? settings
    : own.named(settings, id, foundIn(found, kinds[own.setting] ?? '', settings[own.setting]))
}

/** Returns the name of a type in words: `Delay Step`. */
const titleOf = (type: StepTypeName): string =>
  type.replaceAll('_', ' ').replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

const treeOf = ({ records }: Pick<Step, 'records'>): StepTree => records.root(workflow)?.tree ?? []
const workflowOf = ({ records }: Pick<Step, 'records'>): number => records.root(workflow)?.id ?? 0

const add = (context: Step, facts: StepFacts): Events<typeof workflow> | Refusal => {
  const { id, wanted, records } = context
  const { type, name } = wanted
  if (type === undefined) return refuse.invalid("step_type_settings can't be blank", 'step_type_settings', 'blank')
  if (records.all(step).length >= MOST_STEPS)
    return refuse.invalid(`A workflow has at most ${MOST_STEPS} steps`, 'base', 'too_many')
  const settings = settingsAfter(type, undefined, wanted, workflowOf(context), facts)
  if (settings instanceof Refusal) return settings
  const tree = treeOf(context)
  const place = placeFor(tree, wanted)
  if (place instanceof Refusal) return place
  const tooDeep = isSplitType(type) ? depthProblem(tree, place) : undefined
  if (tooDeep) return tooDeep
  return [event.StepAdded({ step_id: id, step_type: type, name: name?.trim() ? name : titleOf(type), settings, place })]
}

const moved = (context: StepChange): Events<typeof workflow> | Refusal => {
  const { id, wanted } = context
  if (!isPlaced(wanted)) return []
  const located = locateNode<StepNode>(treeOf(context), id)
  if (!located) return refuse.notFound()
  if (isSplitType(located.node.type)) return refuse.invalid('A split step cannot be moved', 'parent_step_id', 'split')
  const place = placeFor(treeOf(context), wanted, located)
  if (place instanceof Refusal) return place
  return differs(place, located.place) ? [event.StepMoved({ step_id: id, from: located.place, place })] : []
}

const change = (context: StepChange, facts: StepFacts): Events<typeof workflow> | Refusal => {
  const { id, before, wanted } = context
  const { name, sent } = wanted
  const settings = sent
    ? settingsAfter(before.step_type, before.settings, wanted, workflowOf(context), facts)
    : before.settings
  if (settings instanceof Refusal) return settings
  const moves = moved(context)
  if (moves instanceof Refusal) return moves
  const title = name?.trim() ? name : before.name
  return [
    ...(title === before.name ? [] : [event.StepRenamed({ step_id: id, name: title })]),
    ...(differs(settings, before.settings) ? [event.StepSettingsChanged({ step_id: id, settings })] : []),
    ...moves,
  ]
}

/** Removes a step; a split with everything in its branches. */
const remove = (context: StepChange): Events<typeof workflow> | Refusal => {
  const node = locateNode<StepNode>(treeOf(context), context.id)?.node
  if (!node) return refuse.notFound()
  const removed_step_ids = [...walkTree<StepNode>([node])].map((one) => one.node.id)
  return [event.StepRemoved({ step_id: context.id, removed_step_ids })]
}

/** Takes records that have ended out of a setting. The step may not be set up any more then. */
const giveUp =
  (setting: string) =>
  ({ id, before, wanted }: ActContext<typeof step, EndedReferences>): Events<typeof workflow> => {
    const value = before.settings[setting]
    const isEnded = (one: unknown) => wanted.ended_ids.some((ended) => ended === one)
    const left = Array.isArray(value) ? value.filter((one) => !isEnded(one)) : isEnded(value) ? null : (value ?? null)
    return differs(left, value)
      ? [event.StepSettingsChanged({ step_id: id, settings: { ...before.settings, [setting]: left } })]
      : []
  }

const givingUp = Object.fromEntries(
  REFERRING.filter(({ isGivenUp }) => isGivenUp).map(({ setting }) => [giving(setting), giveUp(setting)]),
)

/** Rules of a step. */
export const stepRules = rules(step, { loadFacts, create: add, change, remove, acts: givingUp })
