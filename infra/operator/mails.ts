import type { DeliveryRecord, MailingRecord } from '../../domain/emails/mailing/model.ts'
import { delivery, mailing } from '../../domain/emails/mailing/model.ts'
import { mailingIdOf } from '../../domain/emails/mailing/outcomes.ts'
import { mailings } from '../../domain/emails/mailing/rules.ts'
import { type Ask, ask, within } from '../../domain/kernel/decide/ask.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { MailLinks } from '../../domain/kernel/ports/mail-links.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { type KeptMail, readKept } from '../mail/files.ts'
import { carryOut, type OperatorEngine } from './carry-out.ts'

interface MailsDeps extends OperatorEngine {
  readonly live: ReadModels
  readonly mailLinks: MailLinks
  readonly blobs: Blobs
  readonly vault: Vault
  readonly now: (workspaceId?: number) => number
}

/** A mailing, in a list. */
export interface ShownMailing {
  readonly id: number
  readonly workspace_id: number
  readonly kind: string
  readonly status: string
  readonly reason: string | null
  readonly created_at: string
  readonly recipients: number
}

/** A delivery. It names its recipient by an id. */
export interface ShownDelivery {
  readonly id: number
  readonly mailing_id: number
  readonly workspace_id: number
  readonly kind: string
  /** Whether somebody is owed it: it is no advertising. */
  readonly owed: boolean
  /** `null`: it is to a user of the team. */
  readonly contact_id: number | null
  readonly user_id: number | null
  readonly status: string
  readonly reason: string | null
  readonly reply: string | null
  readonly attempts: number
  readonly taken_at: string | null
  readonly message_id: string
}

export interface MailsQuery {
  readonly status: string
  readonly workspaceId?: number
  /** Id after which the list begins. */
  readonly after?: number
}

const PAGE = 200

const openMailing = recordOf(mailing) as (document: Document) => MailingRecord
const openDelivery = recordOf(delivery) as (document: Document) => DeliveryRecord & { readonly workspace_id: number }

const shownMailing = (document: Document): ShownMailing => {
  const { id, workspace_id, kind, status, status_reason, created_at, contact_ids, user_ids } = openMailing(document)
  const recipients = contact_ids.length + user_ids.length
  return { id, workspace_id, kind, status, reason: status_reason, created_at, recipients }
}

const pageOf = async (live: ReadModels, name: string, query: MailsQuery): Promise<readonly Document[]> => {
  const { status, workspaceId, after } = query
  const where = { status, ...(workspaceId !== undefined && { workspace_id: workspaceId }) }
  return live.find(name, { where, limit: PAGE, ...(after !== undefined && { after }) })
}

/** Returns the operator's actions on mails. */
export const operatorMails = (deps: MailsDeps) => {
  const { live, mailLinks, now } = deps

  const found = async (name: string, id: number, what: string): Promise<Document> => {
    const document = Number.isSafeInteger(id) ? await live.get(name, id) : undefined
    if (!document) throw refuse.notFound(`Not found: there is no ${what} ${id}`)
    return document
  }

  const order = async (asked: Ask, { workspace_id, team_id }: Document): Promise<void> => {
    const workspaceId = Number(workspace_id)
    return carryOut(deps, asked, { teamId: Number(team_id), workspaceId }, now(workspaceId))
  }

  const shownDeliveries = async (documents: readonly Document[]): Promise<readonly ShownDelivery[]> => {
    const mailingIds = [...new Set(documents.map(({ id }) => mailingIdOf(Number(id))))]
    const all = await live.getMany(mailing.name, mailingIds)
    const mailings = new Map(mailingIds.map((id, index) => [id, all[index]]))
    return documents.map((document) => {
      const { id, workspace_id, contact_id, user_id, status, reason, reply, attempts, taken_at } =
        openDelivery(document)
      const mailing_id = mailingIdOf(id)
      const of = mailings.get(mailing_id)
      const message_id = `<${mailLinks.messageId(id, String(of?.domain ?? ''))}>`
      const about = { kind: String(of?.kind ?? ''), owed: of?.class === 'owed', contact_id, user_id }
      return { id, mailing_id, workspace_id, ...about, status, reason, reply, attempts, taken_at, message_id }
    })
  }

  return {
    /** Returns a page of the mailings with a status. */
    list: async (query: MailsQuery): Promise<readonly ShownMailing[]> =>
      (await pageOf(live, mailing.name, query)).map(shownMailing),

    /** Returns a page of the mails with a status. */
    deliveries: async (query: MailsQuery): Promise<readonly ShownDelivery[]> =>
      shownDeliveries(await pageOf(live, delivery.name, query)),

    /** @throws {Refusal} not found */
    async show(id: number): Promise<ShownMailing & { readonly deliveries: readonly ShownDelivery[] }> {
      const document = await found(mailing.name, id, 'mailing')
      const deliveries = await live.find(delivery.name, { where: { mailing_id: id } })
      return { ...shownMailing(document), deliveries: await shownDeliveries(deliveries) }
    },

    /** Returns a mail that was kept. @throws {Refusal} not found, also when its recipient was erased */
    async open(deliveryId: number): Promise<KeptMail> {
      await found(delivery.name, deliveryId, 'mail')
      const kept = await readKept(deps, mailingIdOf(deliveryId), deliveryId)
      if (!kept) throw refuse.notFound(`Not found: mail ${deliveryId} was not kept, or its recipient was erased`)
      return kept
    },

    /** Lets a mailing go that is held. @throws {Refusal} not found; invalid, when it is not held */
    async release(id: number): Promise<void> {
      await order(ask(mailings, id, 'release', {}), await found(mailing.name, id, 'mailing'))
    },

    /** Sends a mail again that failed or is in doubt. @throws {Refusal} not found; invalid, for any other */
    async sendAgain(deliveryId: number): Promise<void> {
      const document = await found(delivery.name, deliveryId, 'mail')
      const place = within(mailings, mailingIdOf(deliveryId), delivery)
      await order(ask(place, deliveryId, 'sendAgain', {}), document)
    },
  }
}

export type OperatorMails = ReturnType<typeof operatorMails>
