import { contact, contacts } from '../../../domain/contacts/public.ts'
import type { SplitVisitor } from '../../../domain/funnels/public.ts'
import type { Session } from '../../../domain/visits/public.ts'
import type { SdkCall } from '../calls.ts'
import { pageAfter, previewRedirect, redirects } from '../next.ts'
import type { SdkService } from '../service.ts'
import type { Visitors } from '../visitor.ts'

/** Where visitors go who have paid, or who have answered an offer. */
export interface Onward {
  /** Returns the address of the redirect to the next step. @param cause text that is the same for each repeat, such as the cart that was paid */
  redirect(call: SdkCall, session: Session, cause: string): Promise<string>
  /** Returns the address of the page that says that nothing was saved. */
  preview(call: SdkCall): Promise<string>
}

/** Creates the ways onward. Behind the last step, visitors come back to its own page. */
export const onwardOf = (service: SdkService, visitors: Visitors): Onward => {
  const redirect = redirects(service)
  return {
    async redirect(call, session, cause) {
      const { found } = call
      const known =
        session.contact_id === null ? undefined : await service.engine.records(contacts, session.contact_id, -1)
      const at = visitors.at(found)
      const visitor: SplitVisitor = { visitor: session.visitor ?? session.uuid, contact: known?.root(contact), at }
      const next = (await pageAfter(service, found, visitor)) ?? { page_id: found.page.id, url: found.url }
      return redirect(next, { sessionId: session.id, cause, since: Date.parse(at) })
    },
    async preview({ found }) {
      const visitor = { visitor: 'preview', contact: undefined, at: visitors.at(found) }
      return previewRedirect(service, found, await pageAfter(service, found, visitor))
    },
  }
}
