import type { DeliveryRecord, SendableMailing } from '../../domain/emails/mailing/model.ts'
import type { MailTransport } from '../../domain/kernel/ports/mail-transport.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'

/** A mailing that is to be handed over. */
export interface Work {
  readonly mailing: SendableMailing
  readonly deliveries: readonly DeliveryRecord[]
  readonly transport: MailTransport
  readonly workspace: Document
  /** Domain that reports about its mails come to; `null`: there is none. */
  readonly returnDomain: string | null
}
