import { type DeliveryRecord, delivery, type MailingRecord, mailing } from '../../domain/emails/public.ts'
import { type KeptMail, readKept } from '../../infra/mail/files.ts'
import { eventually } from './eventually.ts'
import type { Tenant, TestService } from './service.ts'
import { waitUntilSettled } from './settled.ts'

/** A mail that somebody was owed. */
export interface OwedMail {
  readonly mailing: MailingRecord
  readonly delivery: DeliveryRecord
  /** Absent: it was not kept as a file. */
  readonly kept: KeptMail | undefined
}

/** Returns the owed mails of a workspace in their order, once none is under way. */
export const owedMails = async (
  service: TestService,
  { workspaceId }: Pick<Tenant, 'workspaceId'>,
  kind?: string,
): Promise<readonly OwedMail[]> => {
  const { stores } = service.background
  const { live } = stores.readModels
  const where = { workspace_id: workspaceId, class: 'owed', ...(kind !== undefined && { kind }) }
  let mailings: readonly MailingRecord[] = []
  await eventually(async () => {
    await waitUntilSettled(service)
    mailings = (await live.find(mailing.name, { where })) as unknown as readonly MailingRecord[]
    if (mailings.some(({ status }) => status === 'open')) throw new Error('mails are still under way')
  })
  return Promise.all(
    mailings.map(async (one) => {
      const [sent] = await live.find(delivery.name, { where: { mailing_id: one.id } })
      const found = sent as unknown as DeliveryRecord
      return { mailing: one, delivery: found, kept: await readKept(stores, one.id, found.id) }
    }),
  )
}

/** Returns the mails that were kept. */
export const keptMails = async (...of: Parameters<typeof owedMails>): Promise<readonly KeptMail[]> =>
  (await owedMails(...of)).flatMap(({ kept }) => kept ?? [])
