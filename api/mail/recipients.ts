import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { contact, contacts, digestIn, isContactKept } from '../../domain/contacts/public.ts'
import {
  addressOf,
  type DeliveryRecord,
  delivery,
  mailing,
  mailingIdOf,
  mailings,
  type OwedAbout,
} from '../../domain/emails/public.ts'
import { type Ask, ask, within } from '../../domain/kernel/decide/ask.ts'
import { desk } from '../../domain/kernel/engine/desk.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import { workerActor } from '../../domain/kernel/engine/transaction.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import { openDocument } from '../../domain/kernel/model/personal.ts'
import type { MailLinks } from '../../domain/kernel/ports/mail-links.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { isJsonObject } from '../../domain/kernel/values/event.ts'
import { idIn } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { FileOf } from '../../domain/resources/view-types.ts'

/** Dependencies of what recipients of mails do. */
export interface MailService {
  readonly engine: Engine
  readonly everywhere: ReadModels
  readonly vault: Vault
  readonly mailLinks: MailLinks
  /** Returns a link to a file, for some seconds. */
  readonly download: (file: FileOf, lastsS: number) => string
  readonly now: (workspaceId: number) => number
  readonly logger: Pick<Logger, 'warn'>
}

/** A mail that was sent to a contact who is still there. */
export interface FoundMail {
  readonly delivery: DeliveryRecord
  readonly contact: RecordOf<typeof contact>
  readonly workspace: Document
  /** Whether it went to another address than the contact has now. */
  readonly isToFormer: boolean
}

const openContact = recordOf(contact)
const openDelivery = recordOf(delivery)

/** Acts of a contact, or of a delivery, that its recipient or a server asks for. */
type Act =
  | { readonly of: 'contact'; readonly name: 'unsubscribe' | 'confirm'; readonly wanted?: object }
  | { readonly of: 'contact'; readonly name: 'resubscribe' | 'chooseTopics'; readonly wanted: object }
  | { readonly of: 'delivery'; readonly name: 'comeBack' | 'complain' | 'leave' | 'fetch'; readonly wanted?: object }

/** Finds the mails that links and reports name, and carries out what follows from them. */
export class Recipients {
  readonly #service: MailService

  constructor(service: MailService) {
    this.#service = service
  }

  /** Returns the delivery of a mail; `undefined` when there is none. */
  async delivery(id: number): Promise<DeliveryRecord | undefined> {
    const found = await this.#service.everywhere.get(delivery.name, id)
    return found && openDelivery(found)
  }

  /** Returns the digest of the address that a mail went to; `undefined`: it is not known. */
  async addressOf(sent: DeliveryRecord): Promise<string | undefined> {
    if (sent.contact_id === null) return undefined
    return addressOf(sent, await this.#service.everywhere.get(contact.name, sent.contact_id))
  }

  /** Returns a mail with its recipient; `undefined` when the recipient was deleted or erased. */
  async find(deliveryId: number): Promise<FoundMail | undefined> {
    const { everywhere: live, vault } = this.#service
    const sent = await this.delivery(deliveryId)
    // A mail to a user of the team has no link by which anything of a contact could be changed.
    if (!sent || sent.contact_id === null) return undefined
    const document = await live.get(contact.name, sent.contact_id)
    if (!document || !isContactKept(document)) return undefined
    const workspace = await live.get('workspace', Number(document.workspace_id))
    if (!workspace) return undefined
    const to = addressOf(sent, document)
    const isToFormer = to !== undefined && to !== digestIn(document)
    return { delivery: sent, contact: openContact(await openDocument(vault, document)), workspace, isToFormer }
  }

  /** Returns the id of a record that an owed mail is about; `null`: the mail is not about any. */
  async about({ delivery: { id } }: Pick<FoundMail, 'delivery'>, name: keyof OwedAbout): Promise<number | null> {
    const found = await this.#service.everywhere.get(mailing.name, mailingIdOf(id))
    return found && isJsonObject(found.values) ? idIn(found.values[name]) : null
  }

  /** Unsubscribes the recipient of a mail, and notes that it was by that mail. */
  async unsubscribe(mail: FoundMail): Promise<void> {
    await this.act(mail, { of: 'contact', name: 'unsubscribe' })
    if (mail.contact.unsubscribed_at === null) await this.act(mail, { of: 'delivery', name: 'leave' })
  }

  /** Unsubscribes the address of a mail whose contact is gone. Whoever has the address now may be the same person. */
  async leave(deliveryId: number): Promise<void> {
    const sent = await this.delivery(deliveryId)
    const workspace = sent && (await this.#service.everywhere.get('workspace', Number(sent.workspace_id)))
    if (sent && workspace && sent.contact_id !== null)
      await this.act({ delivery: sent, workspace }, { of: 'delivery', name: 'leave' })
  }

  /** Carries out an act. Doing it again changes nothing. @throws {Refusal} unavailable */
  async act(
    { delivery: { id, contact_id }, workspace }: Pick<FoundMail, 'delivery' | 'workspace'>,
    act: Act,
  ): Promise<void> {
    return this.carryOut(workspace, act.of === 'contact' ? contactAsk(Number(contact_id), act) : deliveryAsk(id, act))
  }

  /** Carries out a command that a recipient asks for. @throws {Refusal} */
  async carryOut(workspace: Document, asked: Ask): Promise<void> {
    const { engine, now } = this.#service
    const workspaceId = Number(workspace.id)
    const at = new Date(now(workspaceId)).toISOString()
    const place = { teamId: Number(workspace.team_id), workspaceId }
    const result = await desk({ engine })({ actor: workerActor('mails'), at, cause: randomUUID(), ...place }, asked)
    if (result instanceof Refusal) throw result
  }
}

const contactAsk = (id: number, { name, wanted = {} }: Extract<Act, { of: 'contact' }>): Ask =>
  ask(contacts, id, name, wanted)

const deliveryAsk = (id: number, { name, wanted = {} }: Extract<Act, { of: 'delivery' }>): Ask =>
  ask(within(mailings, mailingIdOf(id), delivery), id, name, wanted)
