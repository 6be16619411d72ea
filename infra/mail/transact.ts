import type { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { needsSmtpUtf8 } from '../../domain/kernel/values/mailbox.ts'

/** A message with its envelope. */
export interface Written {
  readonly from: string
  readonly to: string
  readonly message: Buffer
}

/** Sends one mail. @returns the reply of the server to it */
export const transact = (connection: SMTPConnection, { from, to }: Written, message: Readable): Promise<string> =>
  new Promise((resolve, reject) => {
    // A connection that is lost between two replies reports it to its listeners, not to the sender, who may hear a better reason right after.
    const lost = () => setImmediate(() => reject(new Error('the connection was lost')))
    connection.once('end', lost)
    connection.send({ from, to: [to], use8BitMime: needsSmtpUtf8(to) }, message, (error, info) => {
      connection.removeListener('end', lost)
      if (error) reject(error)
      else resolve(String(info?.response ?? ''))
    })
  })
