import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { HandOver, OwnFault } from '../../domain/kernel/ports/mail-transport.ts'
import { needsSmtpUtf8 } from '../../domain/kernel/values/mailbox.ts'
import { meaningOf, NO_TLS, type SmtpFailure } from './replies.ts'
import { transact, type Written } from './transact.ts'

/** An SMTP server and how it is used. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. */
  readonly secure: boolean
  readonly user: string | undefined
  readonly password: string | undefined
  /** Name that is said in EHLO. */
  readonly name: string
  readonly ignoreTls: boolean
  /** Whether certificates of the server are checked. */
  readonly checksCertificate: boolean
}

/** Bounds of one server's connections, and its waits in milliseconds. */
export interface ConnectionBounds {
  readonly connections: number
  /** Mails of one connection. Servers close connections that bring too many. */
  readonly mails: number
  readonly connecting: number
  /** Wait for any reply, also for that to the final dot: shorter waits make doubt out of slowness. */
  readonly reply: number
}

/** How long a server may take to answer QUIT. */
const QUIT_MS = 1000

export const BOUNDS: ConnectionBounds = { connections: 20, mails: 100, connecting: 30_000, reply: 10 * 60_000 }

interface Open {
  readonly connection: SMTPConnection
  mails: number
  lost: boolean
  takesUtf8: boolean
}

/** The server closed the connection, or fell silent, at this mail. */
export const DROPPED: OwnFault = { came: 'ours', reason: 'dropped', atRecipient: true }

/** The server offers no SMTPUTF8, which the address needs. The library would send such an address all the same. */
export const NO_SMTPUTF8: HandOver = { came: 'refused', reason: 'no_smtputf8' }
const OFFERS_SMTPUTF8 = /^250[ -]SMTPUTF8\b/im

/** The server offers no TLS. */
const NOT_PRIVATE = Object.assign(new Error('the server offers no STARTTLS'), { code: NO_TLS })

const asFailure = (error: unknown): SmtpFailure => (error instanceof Error ? (error as SmtpFailure) : {})

/** Connections to one server. Nothing in here sends a mail twice, except where the server cannot have seen the first. */
export class Connections {
  readonly #server: SmtpServer
  readonly #bounds: ConnectionBounds
  readonly #idle: Open[] = []
  readonly #all = new Set<Open>()
  readonly #waiting: (() => void)[] = []
  /** Why the last connection could not be made that failed, and when. */
  #unconnected: { readonly at: number; readonly result: HandOver } | undefined
  #count = 0
  #isOver = false

  constructor(server: SmtpServer, bounds: ConnectionBounds = BOUNDS) {
    this.#server = server
    this.#bounds = bounds
  }

  /**
   * Sends a message. It is written when a connection is open for it, right before MAIL FROM, and anew for each connection; `undefined`: it does not go.
   *
   * @param begun when it began to wait
   */
  async send(write: () => Promise<Written | undefined>, begun: number = performance.now()): Promise<HandOver> {
    while (this.#count >= this.#bounds.connections && !this.#isOver)
      await new Promise<void>((go) => this.#waiting.push(go))
    if (this.#isOver) return { came: 'ours', reason: 'stopping' }
    // Servers lock out who tries a refused log-in again and again, so those that waited meanwhile do not try.
    if (this.#unconnected && this.#unconnected.at > begun) {
      this.#waiting.shift()?.()
      return this.#unconnected.result
    }
    this.#count++
    try {
      for (;;) {
        const idle = this.#takeIdle()
        const result = await this.#sendOver(idle, write)
        // The server had closed it while it was idle, so it has seen nothing of this mail.
        if (idle && result.came === 'ours' && result.reason === 'connection') continue
        return result
      }
    } finally {
      this.#count--
      this.#waiting.shift()?.()
    }
  }

  /** Begins no mail any more. Those that wait have not been handed over. */
  drain(): void {
    this.#isOver = true
    for (const go of this.#waiting.splice(0)) go()
  }

  close(): void {
    this.drain()
    for (const { connection } of this.#all) connection.close()
  }

  #takeIdle(): Open | undefined {
    for (let one = this.#idle.pop(); one; one = this.#idle.pop()) if (!one.lost) return one
    return undefined
  }

  async #sendOver(idle: Open | undefined, write: () => Promise<Written | undefined>): Promise<HandOver> {
    let open = idle
    try {
      open ??= await this.#connect()
    } catch (error) {
      const result = meaningOf(asFailure(error), false)
      this.#unconnected = { at: performance.now(), result }
      return result
    }
    const written = await this.#written(open, write)
    if (!written) return { came: 'stayed' }
    if (needsSmtpUtf8(written.to) && !open.takesUtf8) {
      this.#leave(open)
      return NO_SMTPUTF8
    }
    const { connection } = open
    connection.lastServerResponse = false
    let isSent = false
    const body = new Readable({
      read() {
        this.push(written.message)
        this.push(null)
      },
    })
    body.once('end', () => {
      isSent = true
    })
    try {
      const reply = await transact(connection, written, body)
      open.mails++
      this.#leave(open)
      return { came: 'accepted', reply: reply.slice(0, 3) }
    } catch (error) {
      const failure = asFailure(error)
      const result = meaningOf(failure, isSent)
      if (failure.responseCode === undefined || result.came === 'ours') connection.close()
      else await this.#reset(open)
      // It had answered, so the sender was taken, and it was this mail or its recipient that it did not bear.
      const hadAnswered = connection.lastServerResponse !== false
      if (result.came !== 'ours' || !hadAnswered || failure.command === 'MAIL FROM') return result
      return result.reason === 'connection' ? DROPPED : { ...result, atRecipient: true }
    }
  }

  /** Has a message written for an open connection, which stays for the next one if it does not go. */
  async #written(open: Open, write: () => Promise<Written | undefined>): Promise<Written | undefined> {
    let written: Written | undefined
    try {
      written = await write()
      return written
    } finally {
      if (!written) this.#leave(open)
    }
  }

  #leave(open: Open): void {
    if (open.mails >= this.#bounds.mails) open.connection.quit()
    else if (!open.lost) this.#idle.push(open)
  }

  /** Clears what a refused mail has left, so that the connection can be used again. Some servers close it with their answer. */
  async #reset(open: Open): Promise<void> {
    const { connection } = open
    const isReset = await new Promise<boolean>((done) => {
      const lost = () => done(false)
      connection.once('end', lost)
      connection.reset((error) => {
        connection.removeListener('end', lost)
        done(!error)
      })
    })
    if (isReset) this.#leave(open)
    else connection.close()
  }

  #connect(): Promise<Open> {
    const { host, port, secure, user, password, name, ignoreTls, checksCertificate } = this.#server
    const connection = new SMTPConnection({
      ...{ host, port, secure, name, ignoreTLS: ignoreTls },
      tls: { rejectUnauthorized: checksCertificate },
      connectionTimeout: this.#bounds.connecting,
      greetingTimeout: this.#bounds.connecting,
      socketTimeout: this.#bounds.reply,
    })
    const open: Open = { connection, mails: 0, lost: false, takesUtf8: false }
    this.#all.add(open)
    const opening = new Promise<Open>((resolve, reject) => {
      connection.once('end', () => {
        open.lost = true
        this.#all.delete(open)
        reject(new Error('the connection was closed'))
      })
      connection.on('error', (error: Error) => {
        open.lost = true
        reject(error)
      })
      connection.connect((error?: Error | null) => {
        if (error) return reject(error)
        open.takesUtf8 = OFFERS_SMTPUTF8.test(String(connection.lastServerResponse))
        // Nothing is said in the clear: whoever stands between may have taken the offer of TLS away.
        if (!ignoreTls && !connection.secure) {
          connection.quit()
          return reject(NOT_PRIVATE)
        }
        if (user === undefined || password === undefined) return resolve(open)
        connection.login({ user, pass: password }, (refused?: Error | null) =>
          refused ? reject(refused) : resolve(open),
        )
      })
    })
    // A server leaves the connection open after it has refused the log-in. One that was told to quit closes it.
    opening.catch((error) =>
      error === NOT_PRIVATE ? setTimeout(() => connection.close(), QUIT_MS).unref() : connection.close(),
    )
    return opening
  }
}
