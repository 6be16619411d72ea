import type { Secrets } from '../../../domain/kernel/ports/secrets.ts'

const MARK_BYTES = 12
const HANDLE = /^([1-9]\d{0,15})\.([\w-]{16})$/

type Keyed = { readonly secrets: Pick<Secrets, 'marks'> }

/** Mark of this installation. Without it, another one at the same host would replace the passkeys of this one: authenticators keep one for each handle. */
const marksOf = ({ secrets }: Keyed) => secrets.marks('passkeys', 'handles', MARK_BYTES)

/** Returns what authenticators know a user by. It tells nobody who that is. */
export const handleOf = (service: Keyed, userId: number): string =>
  `${userId}.${marksOf(service).textOf(String(userId))}`

/** Returns the user of a handle of this installation. */
export const userOfHandle = (service: Keyed, handle: string): number | undefined => {
  const [, id, mark = ''] = HANDLE.exec(handle) ?? []
  return id !== undefined && marksOf(service).fits(mark, id) ? Number(id) : undefined
}
