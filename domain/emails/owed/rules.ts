import { decider } from '../../kernel/decide/decider.ts'
import { type DecisionContext, rules } from '../../kernel/decide/rules.ts'
import { refuseInvalid } from '../liquid/refuse-invalid.ts'
import { owedTemplate } from './model.ts'

const TEXTS = ['subject', 'preheadline', 'html_body', 'text_body'] as const

/** Refuses texts that are no Liquid. */
const inLiquid = (context: DecisionContext<typeof owedTemplate>) => refuseInvalid(TEXTS, context)

/** Decider of the texts that a workspace has written for owed mails. */
export const owedTemplates = decider(owedTemplate, { rules: rules(owedTemplate, { save: [inLiquid] }) })
