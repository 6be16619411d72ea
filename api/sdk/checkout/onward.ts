import { contact, contacts } from '../../../domain/contacts/public.ts'
import type { SdkCall } from '../calls.ts'
import { type Destination, pageAfter, previewRedirect, redirects } from '../next.ts'
import type { SdkService } from '../service.ts'
import type { Visitors } from '../visitor.ts'
import type { CheckoutRecord } from './status.ts'

/** Where visitors go who have paid, or who have answered an offer. */
export interface Onward {
  /** Returns the address of the redirect to the next step for the visitor of a checkout that is paid. */
  redirect(call: SdkCall, paid: CheckoutRecord): Promise<string>
  /** Returns the address of the page that says that nothing was saved. */
  preview(call: SdkCall): Promise<string>
}

/** Creates the ways onward. Behind the last step, visitors come back to its own page. */
export const onwardOf = (service: SdkService, visitors: Visitors): Onward => {
  const redirectTo = redirects(service)
  const nextFor = async ({ found }: SdkCall, { contact_id, session_id }: CheckoutRecord): Promise<Destination> => {
    const session = session_id === null ? undefined : await visitors.recordOf(session_id)
    const known = (await service.engine.records(contacts, contact_id, -1)).root(contact)
    const visitor = session?.visitor ?? `session ${session_id}`
    const next = await pageAfter(service, found, { visitor, contact: known, at: visitors.at(found) })
    return next ?? { page_id: found.page.id, url: found.url }
  }
  return {
    async redirect(call, paid) {
      const next = await nextFor(call, paid)
      const since = Date.parse(visitors.at(call.found))
      return redirectTo(next, { sessionId: paid.session_id ?? 0, cause: `checkout ${paid.id}`, since })
    },
    async preview({ found }) {
      const visitor = { visitor: 'preview', contact: undefined, at: visitors.at(found) }
      return previewRedirect(service, found, await pageAfter(service, found, visitor))
    },
  }
}
