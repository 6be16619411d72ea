import { type DeliveryRecord, delivery, type MailingRecord, mailing } from '../../domain/emails/public.ts'
import { type KeptMail, readKept } from '../../infra/mail/files.ts'
import { eventually } from './eventually.ts'
import { completeAddress, sender } from './records/emails.ts'
import type { Tenant, TestService } from './service.ts'
import { waitUntilSettled } from './settled.ts'

/** A notice to one contact, with what became of it. */
export interface TestNotice {
  readonly mailing: MailingRecord
  readonly delivery: DeliveryRecord
  /** Absent: it was not kept as a file. */
  readonly kept: KeptMail | undefined
}

/** Returns the notices of a workspace of one kind in their order, once no mail is under way. */
export const noticesOf = async (
  service: TestService,
  { workspaceId }: Pick<Tenant, 'workspaceId'>,
  kind: string,
): Promise<readonly TestNotice[]> => {
  const { stores } = service.background
  const { live } = stores.readModels
  let all: readonly MailingRecord[] = []
  await eventually(async () => {
    await waitUntilSettled(service)
    all = (await live.find(mailing.name, { where: { workspace_id: workspaceId } })) as unknown as typeof all
    if (all.some(({ status }) => status === 'open')) throw new Error('mails are still under way')
  })
  const found = await Promise.all(
    all
      .filter((one) => one.kind === kind)
      .map(async (one) => {
        const sent = await live.find(delivery.name, { where: { mailing_id: one.id } })
        return Promise.all(
          (sent as unknown as readonly DeliveryRecord[]).map(async (to) => ({
            mailing: one,
            delivery: to,
            kept: await readKept(stores, one.id, to.id),
          })),
        )
      }),
  )
  return found.flat()
}

/** Returns whom notices reached: contacts whose mail was kept. */
export const reached = (notices: readonly TestNotice[]): readonly (number | null)[] =>
  notices.flatMap(({ delivery: { contact_id }, kept }) => (kept ? contact_id : []))

/** Returns why notices were withheld, by the contacts. */
export const withheld = (notices: readonly TestNotice[]): Readonly<Record<number, string | null>> =>
  Object.fromEntries(
    notices.flatMap(({ delivery: { contact_id, status, reason } }) =>
      status === 'withheld' ? [[Number(contact_id), reason]] : [],
    ),
  )

/** Lets a workspace send what needs a business address and a sender. */
export const canAdvertise = async (tenant: Tenant): Promise<void> => {
  await completeAddress(tenant)
  await sender.make(tenant)
}
