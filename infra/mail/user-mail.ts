import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { UserMail } from '../../domain/kernel/ports/user-mail.ts'
import { domainPart, needsSmtpUtf8, sendable } from '../../domain/kernel/values/mailbox.ts'
import { BOUNDS } from './connections.ts'
import type { MailSettings } from './settings.ts'
import { smtpTransport } from './smtp.ts'

/** Waits before further tries: whoever asked for a link waits for it, and asks again after a while. */
const WAITS_MS = [2000, 10_000, 60_000]
/** Mails to users are few. */
const CONNECTIONS = 2
const NAME = 'Millrace'

export interface OpenedUserMail extends UserMail {
  close(): Promise<void>
}

/** Returns an address as it is stored, but with a domain that servers read: one beyond ASCII is written in it. */
const handedTo = (to: string): string => (needsSmtpUtf8(domainPart(to)) ? (sendable(to) ?? to) : to)

type Settings = Pick<MailSettings, 'servers' | 'from' | 'isIdle'>

/** Whether this process sends mails to users. */
export const isUserMailSent = ({ servers, from, isIdle }: Settings): boolean =>
  servers.length > 0 && from !== undefined && isIdle !== true

/** Opens the way of mails to users; `undefined` where no server or no address to send from is configured. */
export const openUserMail = ({ servers, from }: Settings): OpenedUserMail | undefined => {
  if (servers.length === 0 || from === undefined) return undefined
  const transport = smtpTransport(servers, { ...BOUNDS, connections: CONNECTIONS })
  const stopped = new AbortController()
  return {
    async send({ to, isWanted, ...mail }) {
      const compose = async () => {
        if ((await isWanted?.()) === false) return undefined
        return {
          ...mail,
          ...{ messageId: `${randomUUID()}@${domainPart(from)}`, from: { name: NAME, address: from } },
          ...{ to: { name: '', address: handedTo(to) }, replyTo: null, returnPath: from },
          // No program answers it, as with a note that somebody is away (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated' },
        }
      }
      for (const wait of [...WAITS_MS, undefined]) {
        const { came, ...met } = await transport.handOver({
          ...{ compose, signWith: undefined, contactId: 0, mailingId: 0, deliveryId: 0 },
        })
        if (came === 'accepted' || came === 'doubt' || came === 'stayed') return
        if (wait === undefined || came === 'bounced' || came === 'refused')
          throw new Error(`the mail was not handed over: ${came}, ${'reason' in met ? met.reason : ''}`)
        await sleep(wait, undefined, { signal: stopped.signal, ref: false })
      }
    },
    async close() {
      stopped.abort()
      transport.drain()
      await transport.close()
    },
  }
}
