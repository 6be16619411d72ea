import { ask } from '../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { sessions } from '../../domain/visits/public.ts'
import { type SdkHandler, textIn } from './calls.ts'
import { SdkRefusal } from './refusal.ts'
import type { SdkService } from './service.ts'
import { tickets } from './ticket.ts'
import type { Visitors } from './visitor.ts'

const KEY = /^[\w-]{16,64}$/
const LONGEST = 500

const invalid = (why: string) => new SdkRefusal('session_invalid', why)

/**
 * Trades the ticket of a redirect for its session. The first browser to do so has it, and may repeat it. A session that the browser has already stays if
 * it is of another contact, so nobody can be led into a stranger's session; unless the browser has left it for that of the ticket, since somebody else sits
 * at it now.
 */
export const trade = (service: SdkService, visitors: Visitors): SdkHandler => {
  const signed = tickets(service.secrets)
  return async (call) => {
    const { found, body } = call
    if (found.mode === 'preview') return {}
    const key = textIn(body, 'key', LONGEST)
    if (!KEY.test(key)) throw new SdkRefusal('bad_request', 'key must be 16 to 64 characters of base64url')
    const ticket = signed.verify(textIn(body, 'ticket', LONGEST))
    if (!ticket || ticket.p !== found.page.id) throw invalid('The ticket is not for this page')
    if (ticket.x < Date.parse(visitors.at(found))) throw invalid('The ticket has expired')
    const own = await visitors.current(visitors.idIn(body.session, found), found)
    const offered = await visitors.recordOf(ticket.s)
    const isLeft = own && ticket.l?.includes(own.id)
    if (own && !isLeft && own.contact_id !== null && own.contact_id !== offered?.contact_id)
      return { session: body.session! }
    const result = await visitors.send(ask(sessions, ticket.s, 'handOver', { ticket: ticket.i, key }), call)
    if (result instanceof Refusal) throw invalid('The ticket has been used in another browser')
    return { session: visitors.secretOf(ticket.s, found, ticket.l) }
  }
}
