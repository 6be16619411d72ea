import { decider } from '../../kernel/decide/decider.ts'
import { type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { type Detail, refuse } from '../../kernel/values/refusal.ts'
import { problemsOnSaving } from '../composing/saving.ts'
import { owedTemplate } from './model.ts'

interface Facts {
  /** What is wrong with its texts. */
  readonly problems: readonly Detail[]
}

const loadFacts = async (context: DecisionContext<typeof owedTemplate>, read: Reader): Promise<Facts> => {
  const { act, before, workspaceId } = context
  return {
    problems: act === 'remove' ? [] : await problemsOnSaving(before?.workspace_id ?? workspaceId, context, read),
  }
}

/** Refuses texts that can be no mail. */
const canBeMail = (_: DecisionContext<typeof owedTemplate>, { problems }: Facts) =>
  problems.length > 0 ? refuse.invalidFields(problems) : undefined

/** Decider of the texts that a workspace has written for owed mails. */
export const owedTemplates = decider(owedTemplate, { rules: rules(owedTemplate, { loadFacts, save: [canBeMail] }) })
