import { decider } from '../../kernel/decide/decider.ts'
import { type DecisionContext, rules } from '../../kernel/decide/rules.ts'
import { type Detail, refuse } from '../../kernel/values/refusal.ts'
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

/** Decider of templates. */
export const templates = decider(template, { rules: rules(template, { save: [inLiquid] }) })
