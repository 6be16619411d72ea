import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { type Detail, refuse } from '../../kernel/values/refusal.ts'
import { isUsedByWorkflow } from '../../workflows/public.ts'
import { checkLiquid } from '../liquid/parse.ts'
import { template } from './model.ts'

const TEXTS = ['subject', 'html_body', 'text_body'] as const

/** Refuses texts that are no Liquid. */
const inLiquid = ({ before, after }: DecisionContext<typeof template>) => {
  const problems = TEXTS.flatMap((field): Detail[] => {
    const text = after[field]
    const message = text === null || text === before?.[field] ? undefined : checkLiquid(text)
    return message === undefined ? [] : [{ field, code: 'invalid', message }]
  })
  return problems.length > 0 ? refuse.invalidFields(problems) : undefined
}

type Facts = { readonly isUsed: boolean }

/** Loads whether a workflow sends the template. Only a removal needs it. */
const loadFacts = async ({ act, before }: DecisionContext<typeof template>, read: Reader): Promise<Facts> => ({
  isUsed: act === 'remove' && before !== undefined && (await isUsedByWorkflow('template', before, read)),
})

const preventRemoval = (_: ActContext<typeof template>, { isUsed }: Facts) =>
  isUsed
    ? refuse.invalid('Template cannot be deleted because a step of a workflow sends it', 'base', 'used')
    : undefined

/** Decider of templates. */
export const templates = decider(template, { rules: rules(template, { loadFacts, save: [inLiquid], preventRemoval }) })
