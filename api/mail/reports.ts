import { emailDigest } from '../../domain/contacts/public.ts'
import { returnIn } from '../../domain/emails/public.ts'
import type { MailReport, MailReports } from '../../domain/kernel/ports/mail-reports.ts'
import { type MailService, Recipients } from './recipients.ts'

/** Address that providers send complaints to, at any domain. */
const COMPLAINTS = /^abuse@/i

/** Types of complaints. The others, such as `not-spam`, are none. */
const COMPLAINED: readonly string[] = ['abuse', 'fraud', 'virus']

/** Returns a function that records what a report says of a mail, once. It returns whether there is such a mail. */
export const reportTaking = (service: MailService) => {
  const recipients = new Recipients(service)
  return async (deliveryId: number, report: MailReport): Promise<boolean> => {
    const delivery = await recipients.delivery(deliveryId)
    const workspace = delivery && (await service.everywhere.get('workspace', Number(delivery.workspace_id)))
    if (!delivery || !workspace) return false
    const to = await recipients.addressOf(delivery)
    // Where it went is not known of mails to users, and of few of former versions: what has their return path is about them.
    const came = returnIn(report, (address) => to === undefined || emailDigest(address, service.vault) === to)
    if (came) await recipients.act({ delivery, workspace }, { of: 'delivery', name: 'comeBack', wanted: came })
    if (report.kind === 'complaint' && COMPLAINED.includes(report.type))
      await recipients.act({ delivery, workspace }, { of: 'delivery', name: 'complain' })
    return true
  }
}

/** Takes reports about mails. A report counts only when it names one mail by what only we could have written: its return path, or its Message-ID. */
export const mailReports = (service: MailService): MailReports => {
  const { mailLinks } = service
  const take = reportTaking(service)

  /** Returns the mail that a report is about: by its return path, or by the last Message-ID in it that is ours. */
  const reported = (recipient: string, report: MailReport): number | undefined => {
    const own = mailLinks.deliveryOf(recipient)
    if (own !== undefined || report.kind !== 'complaint') return own
    return report.messageIds.map((id) => mailLinks.deliveryOfMessage(id)).findLast((id) => id !== undefined)
  }

  return {
    accepts: (recipient) => COMPLAINTS.test(recipient) || mailLinks.deliveryOf(recipient) !== undefined,
    async take(recipient, report) {
      const id = reported(recipient, report)
      if (id !== undefined) await take(id, report)
    },
  }
}
