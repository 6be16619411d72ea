import type { StreamRecords } from '../../kernel/decide/rules.ts'
import { mailing } from './model.ts'
import { type Purpose, purposeOf } from './purpose.ts'

/** Returns what events about the mails of a mailing tell of its purpose. Mail to nobody who is a contact has none. */
export const withPurpose = (records: StreamRecords): { readonly purpose?: Purpose } => {
  const sent = records.root(mailing)
  const purpose = sent && purposeOf(sent)
  return purpose ? { purpose } : {}
}
