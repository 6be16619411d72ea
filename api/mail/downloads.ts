import { beside } from '../../domain/kernel/decide/bound-reader.ts'
import { readerOver } from '../../domain/kernel/decide/rules.ts'
import type { MailLink } from '../../domain/kernel/ports/mail-links.ts'
import { download } from '../../domain/media/public.ts'
import { filesOf } from '../../domain/orders/public.ts'
import { SENT_ON_S } from '../download-links.ts'
import type { ApiContext } from '../http/context.ts'
import type { MailService, Recipients } from './recipients.ts'

/**
 * Returns a function that leads to the files of a mail, and returns whether a link is to one that its recipient may have. What is fetched comes from a link of
 * minutes, so a mail gives access for as long as its order does. Only mails of workspaces without a domain, and of former versions, have such links: others lead to
 * the members' side.
 */
export const mailDownloads =
  ({ everywhere, now, download: linkTo }: MailService, recipients: Recipients) =>
  async (ctx: ApiContext, link: MailLink): Promise<boolean> => {
    if (link.kind !== 'download') return false
    const mail = await recipients.find(link.deliveryId)
    const orderId = mail && (await recipients.about(mail, 'order_id'))
    if (!orderId) return false
    const at = new Date(now(Number(mail.workspace.id))).toISOString()
    const files = await filesOf(orderId, at, readerOver(beside(everywhere, mail.delivery)))
    const file = files.find(({ id }) => id === link.number)
    if (!file?.isOpen) return false
    ctx.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    ctx.status = 302
    const of = { resource: download.name, id: file.id, workspaceId: Number(mail.workspace.id) }
    ctx.set('Location', linkTo(of, SENT_ON_S))
    ctx.body = ''
    return true
  }
