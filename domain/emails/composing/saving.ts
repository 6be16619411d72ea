import type { Reader } from '../../kernel/decide/rules.ts'
import type { AuthoredMail, TextProblem } from '../../kernel/ports/authored-texts.ts'
import type { Detail } from '../../kernel/values/refusal.ts'
import { problemsIn } from './trial.ts'

const TEXTS = ['subject', 'preheadline', 'html_body', 'text_body'] as const

/** Tries texts out beside the event loop, where there is a thread for it. */
const textProblems = async (
  workspaceId: number,
  { subject, preheadline, html_body, text_body }: AuthoredMail,
  { documents: { texts } }: Reader,
): Promise<readonly TextProblem[]> => {
  const mail = {
    ...(subject && { subject }),
    ...(preheadline && { preheadline }),
    ...(html_body && { html_body }),
    ...(text_body && { text_body }),
  }
  return texts ? texts.problemsIn(workspaceId, mail) : problemsIn(mail)
}

const detail = (field: string, message: string): Detail => ({ field, code: 'invalid', message })

/**
 * Returns what is wrong with the texts of a mail that are being saved, except those that it has already. All are tried out together, as they are sent:
 * a new text that leaves too little for one that it has is at fault.
 */
export const problemsOnSaving = async (
  workspaceId: number,
  { before, after }: { readonly before: AuthoredMail | undefined; readonly after: AuthoredMail },
  read: Reader,
): Promise<readonly Detail[]> => {
  const lengthOf = (text: keyof AuthoredMail) => after[text]?.length ?? 0
  const changed = TEXTS.filter((text) => after[text] && after[text] !== before?.[text])
  const [longest] = changed.toSorted((one, other) => lengthOf(other) - lengthOf(one))
  if (longest === undefined) return []
  const problems = await textProblems(workspaceId, after, read)
  const ofChanged = problems.filter(({ text }) => changed.includes(text))
  const [problem] = problems
  if (ofChanged.length > 0 || !problem) return ofChanged.map(({ text, says }) => detail(text, says))
  const couldBeMail = before !== undefined && (await textProblems(workspaceId, before, read)).length === 0
  return couldBeMail ? [detail(longest, problem.says)] : []
}
