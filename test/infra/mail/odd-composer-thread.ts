import type { Batch } from '../../../infra/mail/composer-thread.ts'
import { answer } from '../../../infra/sqlite/thread.ts'

const mailTo = (address: string) => {
  if (address.startsWith('dies')) process.exit(1)
  for (; address.startsWith('endless'); );
  return { mail: { to: { address } } }
}

answer<unknown, Batch>(() => ({
  answer: ({ recipients }: Batch) => recipients.map(({ to }) => mailTo(to.address)),
  close() {},
}))
