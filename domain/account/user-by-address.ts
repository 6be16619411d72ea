import type { Documents } from '../kernel/decide/command.ts'
import { readEverywhere } from '../kernel/decide/rules.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import { mailboxOf } from '../kernel/values/mailbox.ts'
import { user } from './user.ts'

/** User of the installation. */
export type User = RecordOf<typeof user.model>

/** Returns the user with an address, however it is spelled. Older logs may have several: the first is the one who signs in. */
export const userByAddress = async (address: string, documents: Documents): Promise<User | undefined> => {
  const found = await readEverywhere(documents).find(user.model, { where: { mailbox: mailboxOf(address) } })
  return found.find(({ platform_agent }) => !platform_agent)
}
