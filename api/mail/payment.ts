import { ask, within } from '../../domain/kernel/decide/ask.ts'
import { invoice, isPayable, orders } from '../../domain/orders/public.ts'
import type { PageOfLink, Shown } from './page-of-link.ts'
import type { FoundMail, MailService, Recipients } from './recipients.ts'
import type { MailWords } from './words.ts'

/** Page on which a buyer has an invoice charged whose charge was declined. */
export const paymentPage = (recipients: Recipients, { engine }: MailService): PageOfLink => {
  const owed = async (mail: FoundMail) => {
    const [orderId, id] = [await recipients.about(mail, 'order_id'), await recipients.about(mail, 'invoice_id')]
    if (orderId === null || id === null) return undefined
    const bill = (await engine.records(orders, orderId, -1)).one(invoice, id)
    return bill && { orderId, bill }
  }

  const show = async (mail: FoundMail, { invalid, pay }: MailWords): Promise<Shown> => {
    const bill = (await owed(mail))?.bill
    if (!bill) return { status: 404, title: invalid.title, sentences: [invalid.text] }
    if (bill.status === 'paid') return { title: pay.title, sentences: [pay.paid] }
    if (bill.charging) return { title: pay.title, sentences: [pay.underWay] }
    return isPayable(bill)
      ? { title: pay.title, sentences: [pay.text], controls: [{ type: 'button', text: pay.button, value: 'pay' }] }
      : { title: pay.title, sentences: [pay.over] }
  }

  return {
    act: 'pay',
    show,
    async take(mail, _sent, words) {
      const found = await owed(mail)
      if (found) {
        const invoices = within(orders, found.orderId, invoice)
        await recipients.carryOut(mail.workspace, ask(invoices, found.bill.id, 'payNow', {}))
      }
      return show(mail, words)
    },
  }
}
