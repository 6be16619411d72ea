import { placeOf } from '../../domain/emails/mailing/outcomes.ts'
import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { ComposedMail, MailTransport } from '../../domain/kernel/ports/mail-transport.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { streamOf } from '../../domain/kernel/values/stream-name.ts'
import { writeMessage } from './message.ts'

/** A mail that was kept, as it would have been sent. */
export interface KeptMail extends ComposedMail {
  readonly source: string
}

/** Returns the name of the blob with the kept mails of a mailing. */
export const keptName = (mailingId: number): string => streamOf({ name: 'emails/kept' }, mailingId)

/** Files that are written at once. */
const AT_ONCE = 64

/** Returns the transport that keeps mails as files, each sealed under the key of its recipient. Erasing the person erases the file. */
export const fileTransport = ({ blobs, vault }: { readonly blobs: Blobs; readonly vault: Vault }): MailTransport => ({
  keeps: true,
  atOnce: AT_ONCE,
  async handOver({ compose, contactId, mailingId, deliveryId, signWith }) {
    const mail = await compose()
    if (!mail) return { came: 'stayed' }
    const source = writeMessage(mail, signWith).toString('utf8')
    const { encoded: _, ...shown } = mail
    const kept = { ...shown, source }
    const sealed = await vault.seal(contactId, JSON.parse(JSON.stringify(kept)))
    await blobs.write(keptName(mailingId), placeOf(deliveryId), [`${contactId} ${sealed}`])
    return { came: 'accepted' }
  },
  drain: () => undefined,
  close: async () => undefined,
})

/** Reads a kept mail; `undefined`: there is none, or its recipient was erased. */
export const readKept = async (
  { blobs, vault }: { readonly blobs: Blobs; readonly vault: Vault },
  mailingId: number,
  deliveryId: number,
): Promise<KeptMail | undefined> => {
  const name = keptName(mailingId)
  if (!(await blobs.has(name, placeOf(deliveryId)))) return undefined
  const pieces: Uint8Array[] = []
  for await (const piece of blobs.read(name, placeOf(deliveryId))) pieces.push(piece)
  const text = Buffer.concat(pieces).toString('utf8')
  const space = text.indexOf(' ')
  const opened = await vault.open(Number(text.slice(0, space)), text.slice(space + 1))
  return opened === null ? undefined : (opened as unknown as KeptMail)
}
