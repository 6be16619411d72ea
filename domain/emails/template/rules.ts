import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { isUsedByWorkflow } from '../../workflows/public.ts'
import { broadcast } from '../broadcast/model.ts'
import { refuseInvalid } from '../liquid/refuse-invalid.ts'
import { template } from './model.ts'

const TEXTS = ['subject', 'html_body', 'text_body'] as const

/** Refuses texts that are no Liquid. */
const inLiquid = (context: DecisionContext<typeof template>) => refuseInvalid(TEXTS, context)

/** What sends the template; `undefined`: nothing does. */
type Facts = string | undefined

/** States in which a broadcast needs its template no longer, or not yet. */
const IDLE: readonly string[] = ['draft', 'complete', 'canceled']

/** Loads what sends the template. Only a removal needs it. */
const loadFacts = async ({ act, before }: DecisionContext<typeof template>, read: Reader): Promise<Facts> => {
  if (act !== 'remove' || before === undefined) return undefined
  if (await isUsedByWorkflow('template', before, read)) return 'a step of a workflow'
  const all = await read.find(broadcast, { where: { template_id: before.id } })
  return all.some(({ status }) => !IDLE.includes(status)) ? 'a broadcast' : undefined
}

const preventRemoval = (_: ActContext<typeof template>, sentBy: Facts) =>
  sentBy === undefined
    ? undefined
    : refuse.invalid(`Template cannot be deleted because ${sentBy} sends it`, 'base', 'used')

/** Decider of templates. */
export const templates = decider(template, { rules: rules(template, { loadFacts, save: [inLiquid], preventRemoval }) })
