import type { Ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import type { RecordCommand } from '../../kernel/decide/rules.ts'
import { isJsonObject, type JsonObject } from '../../kernel/values/event.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { objectOf } from '../../resources/attributes/as-sent.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { STEP_TYPE_NAMES, stepTypeOf } from '../steps/index.ts'
import { CONDITIONS } from './conditions.ts'

/** Reads the body of a trigger. Conditions are kept apart, since rules find out whether their records exist. */
export const wantedTrigger = ({ fields }: WriteInput): JsonObject => {
  const isCondition = (name: string) => CONDITIONS.some((one) => one === name)
  const entries = Object.entries(fields)
  return {
    ...Object.fromEntries(entries.filter(([name]) => !isCondition(name))),
    named: Object.fromEntries(entries.filter(([name]) => isCondition(name))),
  }
}

const FIELD = 'step_type_settings'
const ONE_KEY = `${FIELD} must contain exactly one step-class key.`

/** Returns the settings that were sent, with their type; nothing if none were. */
const settingsIn = ({ fields, sent }: WriteInput): JsonObject | Refusal => {
  if (sent[FIELD] === undefined) return {}
  const [key, ...others] = Object.keys(objectOf(sent[FIELD]))
  const type = STEP_TYPE_NAMES.find((name) => name === key)
  if (type === undefined || others.length > 0) return refuse.invalid(ONE_KEY, FIELD, 'inclusion')
  const settings = isJsonObject(fields[FIELD]) ? fields[FIELD][type] : undefined
  return { type, sent: isJsonObject(settings) ? settings : {} }
}

/** Returns the id for the record of its own that a step gets. */
const ownId = ({ document, mint }: WriteInput, { type: name, sent }: JsonObject): JsonObject => {
  const type = STEP_TYPE_NAMES.find((one) => one === name)
  if (type === undefined || !isJsonObject(sent)) return {}
  const { own, kinds } = stepTypeOf(type)
  const before = isJsonObject(document?.settings) ? document.settings : {}
  return own?.isDue(sent, before) ? { own_id: mint({ name: kinds[own.setting] ?? '' }) } : {}
}

/** Reads the body of a step. Settings of another type than the step has are refused. */
export const wantedStep = (input: WriteInput): JsonObject | Refusal => {
  const { fields, document } = input
  const settings = settingsIn(input)
  if (settings instanceof Refusal) return settings
  const { name, branch, position, parent_step_id: parent, after_step_id: after } = fields
  if (document && settings.type !== undefined && settings.type !== document.step_type)
    return refuse.invalid(`${FIELD} must be those of a ${document.step_type}`, FIELD, 'mismatch')
  return {
    ...settings,
    ...ownId(input, settings),
    ...(name !== undefined && { name }),
    ...(branch !== undefined && { branch }),
    ...(position !== undefined && { position }),
    ...(parent !== undefined && { parent }),
    ...(after !== undefined && { after }),
  }
}

/** Returns the commands by which the record of its own that a step has is made, or gets what was sent. */
export const ownFollowUps = async (
  { document, owner }: WriteInput,
  read: FactReader,
  { wanted: { type: wanted = document?.step_type, sent, own_id: id } }: RecordCommand,
): Promise<readonly Ask[]> => {
  const type = STEP_TYPE_NAMES.find((one) => one === wanted)
  if (type === undefined || !isJsonObject(sent)) return []
  const before = isJsonObject(document?.settings) ? document.settings : undefined
  const change = { workspaceId: Number((document ?? owner)?.workspace_id), sent, before }
  return (await stepTypeOf(type).own?.follows(change, typeof id === 'number' ? id : undefined, read)) ?? []
}
