import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import type { MailReports } from '../../domain/kernel/ports/mail-reports.ts'
import { listenError } from '../runtime/listening.ts'
import { readReport } from './report.ts'

/** Bytes of a mail that are read: the report comes before the mail that it is about. */
const READ_BYTES = 256 * 1024
/** Largest mail that is received. Reports carry the whole mail that they are about. */
const MOST_BYTES = 20 * 1024 * 1024
const MOST_CONNECTIONS = 100
const MOST_RECIPIENTS = 10
const IDLE_MS = 60_000
/** Longest that a connection lasts. */
const LONGEST_MS = 5 * 60_000

interface ListenerDeps {
  readonly reports: MailReports
  readonly logger: Pick<Logger, 'warn'>
  /** Name by which the listener greets. */
  readonly name: string
  readonly host: string
  /** 0: any free one. */
  readonly port: number
}

/** Listener for reports about mails. */
export interface MailListener {
  readonly port: number
  /** Ends it, and connections that are still open. */
  close(): Promise<void>
}

/** Error that is answered with an SMTP reply. */
const reply = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode })

/** Reads the beginning of a mail, and lets the rest pass. */
const beginningOf = async (stream: Readable): Promise<Buffer> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (length < READ_BYTES) chunks.push(chunk)
    length += chunk.length
  }
  return Buffer.concat(chunks).subarray(0, READ_BYTES)
}

const recipientsOf = ({ envelope }: SMTPServerSession): readonly string[] =>
  envelope.rcptTo.map(({ address }) => address)

/**
 * Starts to listen for reports about mails (SMTP). It takes mail for the addresses of reports alone and passes nothing on. A report that it cannot use
 * is answered as taken, since a sender could do nothing better. While a store is unavailable, it asks senders to come again.
 */
export const startMailListener = async (deps: ListenerDeps): Promise<MailListener> => {
  const { reports, logger, name, host, port } = deps
  const receive = async (stream: Readable & { readonly sizeExceeded?: boolean }, session: SMTPServerSession) => {
    const mail = await beginningOf(stream)
    if (stream.sizeExceeded) throw reply(552, '5.3.4 The mail is too large')
    const report = await readReport(mail)
    try {
      for (const recipient of recipientsOf(session)) await reports.take(recipient, report)
    } catch (error) {
      logger.warn({ err: error }, 'a report about a mail could not be taken')
      throw reply(451, '4.3.0 Try again later')
    }
  }
  const server = new SMTPServer({
    name,
    banner: 'Millrace',
    size: MOST_BYTES,
    maxClients: MOST_CONNECTIONS,
    socketTimeout: IDLE_MS,
    closeTimeout: 1000,
    disabledCommands: ['AUTH', 'STARTTLS'],
    // Exim sends QUIT with the end of a mail where it may, and ends its side. The library does not answer who has ended, so the mail would come again.
    hidePIPELINING: true,
    disableReverseLookup: true,
    authOptional: true,
    logger: false,
    onRcptTo({ address }, { envelope }, done) {
      if (!reports.accepts(address)) return done(reply(550, '5.1.1 No such mailbox'))
      if (envelope.rcptTo.length >= MOST_RECIPIENTS) return done(reply(452, '4.5.3 Too many recipients'))
      return done()
    },
    onData(stream, session, done) {
      receive(stream, session).then(() => done(null, '2.0.0 Taken'), done)
    },
  })
  // Connections that break are no concern of the service.
  server.on('error', () => undefined)
  server.server.on('connection', (socket) => {
    const ending = setTimeout(() => socket.destroy(), LONGEST_MS).unref()
    socket.once('close', () => clearTimeout(ending))
  })
  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => reject(listenError(error, { host, port, setting: 'MILLRACE_MAIL_PORT' }))
    server.server.once('error', fail)
    server.listen(port, host, () => {
      server.server.off('error', fail)
      resolve()
    })
  })
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
