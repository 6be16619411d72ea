import { isClockAdvancing } from '../../domain/account/public.ts'
import type { WantedFetch } from '../../domain/emails/public.ts'
import type { MailLink } from '../../domain/kernel/ports/mail-links.ts'
import type { ApiContext } from '../http/context.ts'
import { isMachine, isProbe } from './machines.ts'
import type { MailService, Recipients } from './recipients.ts'

/** Picture of one transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** Returns a URL as a browser asks for it that follows the link itself. */
const inHeader = (url: string): string => new URL(url).href

/** Returns what is recorded of a request for a link; `undefined`: nothing. A page that is read tells something only beside links. */
const wantedBy = (ctx: ApiContext, link: MailLink): WantedFetch | undefined => {
  const machine = isMachine(ctx)
  const probe = isProbe(ctx) ? { sign: 'probe' as const } : {}
  if (link.kind === 'open') return { link: null, machine }
  if (link.kind === 'click') return { link: link.number, machine, ...probe }
  if (link.kind !== 'unsubscribe' && link.kind !== 'preferences') return undefined
  if (machine) return 'sign' in probe ? { link: null, machine, ...probe } : undefined
  return { link: null, machine, sign: 'page' }
}

/**
 * Returns a function that answers what mail programs fetch without asking anybody: clicks, which are led on, and the picture that says that a mail was opened. It
 * returns whether a link is one of these.
 */
export const mailFetches = (service: MailService, recipients: Recipients) => {
  /** Records a fetch. Whoever follows a link gets where it leads, also when nothing can be recorded. @throws {Refusal} unavailable, while a test clock is being advanced */
  const record = async (deliveryId: number, wanted: WantedFetch): Promise<void> => {
    try {
      const mail = await recipients.find(deliveryId)
      if (mail) await recipients.act(mail, { of: 'delivery', name: 'fetch', wanted })
    } catch (error) {
      if (isClockAdvancing(error)) throw error
      service.logger.warn({ err: error }, 'a fetch of a mail could not be recorded')
    }
  }

  return async (ctx: ApiContext, link: MailLink): Promise<boolean> => {
    const wanted = wantedBy(ctx, link)
    if (wanted) await record(link.deliveryId, wanted)
    ctx.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    if (link.kind === 'click') {
      ctx.status = 302
      ctx.set('Location', inHeader(link.url))
      ctx.body = ''
      return true
    }
    if (link.kind !== 'open') return false
    ctx.type = 'image/gif'
    ctx.body = PIXEL
    return true
  }
}
