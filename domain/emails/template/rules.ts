import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { type Detail, refuse } from '../../kernel/values/refusal.ts'
import { isUsedByWorkflow } from '../../workflows/public.ts'
import { broadcast } from '../broadcast/model.ts'
import { problemsOnSaving } from '../composing/saving.ts'
import { template } from './model.ts'

interface Facts {
  /** What sends the template. */
  readonly sentBy?: string | undefined
  /** What is wrong with its texts. */
  readonly problems?: readonly Detail[]
}

/** Refuses texts that can be no mail. */
const canBeMail = (_: DecisionContext<typeof template>, { problems = [] }: Facts = {}) =>
  problems.length > 0 ? refuse.invalidFields(problems) : undefined

/** States in which a broadcast needs its template no longer, or not yet. */
const IDLE: readonly string[] = ['draft', 'complete', 'canceled']

const senderOf = async (before: RecordOf<typeof template>, read: Reader): Promise<string | undefined> => {
  if (await isUsedByWorkflow('template', before, read)) return 'a step of a workflow'
  const all = await read.find(broadcast, { where: { template_id: before.id } })
  return all.some(({ status }) => !IDLE.includes(status)) ? 'a broadcast' : undefined
}

const loadFacts = async (context: DecisionContext<typeof template>, read: Reader): Promise<Facts> => {
  const { act, before, workspaceId } = context
  if (act === 'remove') return { sentBy: before && (await senderOf(before, read)) }
  return { problems: await problemsOnSaving(before?.workspace_id ?? workspaceId, context, read) }
}

const preventRemoval = (_: ActContext<typeof template>, { sentBy }: Facts) =>
  sentBy === undefined
    ? undefined
    : refuse.invalid(`Template cannot be deleted because ${sentBy} sends it`, 'base', 'used')

/** Decider of templates. */
export const templates = decider(template, { rules: rules(template, { loadFacts, save: [canBeMail], preventRemoval }) })
