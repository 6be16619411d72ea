import { cleanAddress, isAddress, isPlainlyWritten } from '../../domain/kernel/values/mailbox.ts'

/** Returns the address that somebody has typed who says who they are, and whether it is one, and none that only looks like another. */
export const typedAddress = (sent: URLSearchParams, field: string) => {
  const typed = sent.get(field) ?? ''
  const address = cleanAddress(typed)
  return { address, isUsable: isPlainlyWritten(typed) && isAddress(address) }
}
