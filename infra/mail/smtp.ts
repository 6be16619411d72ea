import type { HandOver, MailTransport, OwnFault } from '../../domain/kernel/ports/mail-transport.ts'
import { BOUNDS, type ConnectionBounds, Connections, DROPPED, NO_SMTPUTF8, type SmtpServer } from './connections.ts'
import { writeMessage } from './message.ts'
import type { Written } from './transact.ts'

/** How long a server is left alone that could not be used, where there are others. */
const LEFT_ALONE_MS = 60_000

const LATER: HandOver = { came: 'deferred', reason: 'connection' }

interface Used {
  readonly connections: Connections
  unusableUntil: number
}

/**
 * Returns the transport that hands over to SMTP servers. They are tried in their order. The next one is tried only where the one before has surely not taken
 * the mail, and not because of its recipient.
 */
export const smtpTransport = (
  servers: readonly SmtpServer[],
  bounds: ConnectionBounds = BOUNDS,
  now: () => number = Date.now,
): MailTransport => {
  const all = servers.map((server): Used => ({ connections: new Connections(server, bounds), unusableUntil: 0 }))
  return {
    keeps: false,
    atOnce: bounds.connections,
    async handOver({ compose, signWith, waitsSince }) {
      const write = async (): Promise<Written | undefined> => {
        const mail = await compose()
        return mail && { from: mail.returnPath, to: mail.to.address, message: writeMessage(mail, signWith) }
      }
      const usable = all.filter(({ unusableUntil }) => unusableUntil <= now())
      // A fault that may meet this mail alone says more than one of a server that cannot be used.
      let met: OwnFault = { came: 'ours', reason: 'connection' }
      let withoutUtf8 = 0
      for (const server of usable.length > 0 ? usable : all) {
        const result = await server.connections.send(write, waitsSince)
        if (result === NO_SMTPUTF8) {
          withoutUtf8++
          continue
        }
        if (result.came !== 'ours') return result
        if (result !== DROPPED) server.unusableUntil = now() + LEFT_ALONE_MS
        if (!met.atRecipient) met = result
      }
      // Those that could not be asked may take its address, and that they could not pauses nothing: it meets this mail alone.
      if (withoutUtf8 > 0) return withoutUtf8 === all.length ? NO_SMTPUTF8 : LATER
      // Such a mail would hold up all others of its mailing for ever, if it were a fault that meets every mail.
      return met === DROPPED ? LATER : met
    },
    drain() {
      for (const { connections } of all) connections.drain()
    },
    async close() {
      for (const { connections } of all) connections.close()
    },
  }
}
