import type { Question } from '../../../infra/mail/composer-thread.ts'
import { answer } from '../../../infra/sqlite/thread.ts'

const mailTo = (address: string) => {
  if (address.startsWith('dies')) process.exit(1)
  for (; address.startsWith('endless'); );
  return { mail: { to: { address } } }
}

const textOf = (text: string | null | undefined) => {
  if (text === 'dies') process.exit(1)
  return text ?? ''
}

answer<unknown, Question>(() => ({
  answer(question) {
    if ('recipients' in question) return { mails: question.recipients.map(({ to }) => mailTo(to.address)) }
    if ('text' in question) return { rendered: textOf(question.text.text) }
    textOf(question.draft.html_body)
    return { problems: [] }
  },
  close() {},
}))
