import type { Reader } from '../../kernel/decide/rules.ts'
import type { AuthoredMail, TextProblem } from '../../kernel/ports/authored-texts.ts'
import type { Detail } from '../../kernel/values/refusal.ts'
import { problemsIn } from './trial.ts'

/** Returns why texts can be part of no mail. They are tried out beside the event loop, where there is a thread for it. */
export const textProblems = async (
  workspaceId: number,
  mail: AuthoredMail,
  { documents: { texts } }: Reader,
): Promise<readonly TextProblem[]> => (texts ? texts.problemsIn(workspaceId, mail) : problemsIn(mail))

/** Returns what is wrong with the texts of a record that are being saved, except those that it has already. They are tried out together. */
export const problemsOnSaving = async (
  workspaceId: number,
  { before, after }: { readonly before: AuthoredMail | undefined; readonly after: AuthoredMail },
  read: Reader,
): Promise<readonly Detail[]> => {
  const isNew = (text: keyof AuthoredMail) => Boolean(after[text]) && after[text] !== before?.[text]
  if (!isNew('subject') && !isNew('preheadline') && !isNew('html_body') && !isNew('text_body')) return []
  const { subject, preheadline, html_body, text_body } = after
  const mail = {
    ...(subject && { subject }),
    ...(preheadline && { preheadline }),
    ...(html_body && { html_body }),
    ...(text_body && { text_body }),
  }
  const problems = await textProblems(workspaceId, mail, read)
  return problems
    .filter(({ text }) => isNew(text))
    .map(({ text, says }) => ({ field: text, code: 'invalid', message: says }))
}
