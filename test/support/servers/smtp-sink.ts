import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail that arrived. */
export interface Arrived {
  readonly from: string
  readonly to: readonly string[]
  /** Whether letters beyond ASCII were announced for its addresses. */
  readonly utf8: boolean
  readonly source: Buffer
}

/** Answer other than 250, as the server gives it. */
export interface SinkAnswer {
  readonly code: number
  readonly text: string
}

interface SinkOptions extends SMTPServerOptions {
  /** Answers a recipient; `undefined`: 250. */
  readonly recipient?: (address: string) => SinkAnswer | undefined
  /** Answers a whole message; `undefined`: 250. May wait. */
  readonly message?: (arrived: Arrived) => Promise<SinkAnswer | undefined> | SinkAnswer | undefined
}

const refusing = ({ code, text }: SinkAnswer) => Object.assign(new Error(text), { responseCode: code })

/** Starts an SMTP server that keeps what arrives. Each suite closes its own. */
export const startSink = async ({ recipient, message, ...options }: SinkOptions = {}) => {
  const arrived: Arrived[] = []
  const hello: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 100,
    disabledCommands: ['STARTTLS'],
    // With it, Exim ends its side behind a mail, and the library does not answer who has ended.
    hidePIPELINING: true,
    hideENHANCEDSTATUSCODES: true,
    onRcptTo({ address }, _, done) {
      const answer = recipient?.(address)
      done(answer && refusing(answer))
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.once('end', async () => {
        hello.push(String(session.hostNameAppearsAs))
        const { mailFrom, rcptTo } = session.envelope
        const one = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          utf8: mailFrom !== false && Object.hasOwn({ ...mailFrom.args }, 'SMTPUTF8'),
          source: Buffer.concat(pieces),
        }
        const answer = await message?.(one)
        if (!answer) arrived.push(one)
        done(answer && refusing(answer))
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    arrived,
    /** Names that clients said, one for each mail. */
    hello,
    server,
    url: `smtp://127.0.0.1:${port}?tls=no&name=app.example`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
