import { contact } from '../../domain/contacts/contact/model.ts'
import { LiquidFailed, mailLiquid, valuesFor } from '../../domain/emails/public.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import { openDocument } from '../../domain/kernel/model/personal.ts'
import { zoneOfWorkspace } from '../../domain/resources/attributes/time-zone.ts'
import type { RunsDeps } from './runs-deps.ts'

/** Returns a function that renders Liquid with the values of the contact of a run. */
export const rendererFor =
  (
    { live, vault, now }: Pick<RunsDeps, 'live' | 'vault' | 'now'>,
    { contact_id, workspace_id = 0 }: { readonly contact_id: number; readonly workspace_id?: number },
  ) =>
  async (text: string): Promise<string | undefined> => {
    const [person, workspace] = await Promise.all([
      live.get(contact.name, contact_id),
      live.get('workspace', workspace_id),
    ])
    if (!person || !workspace) return undefined
    const values = valuesFor({}, recordOf(contact)(await openDocument(vault, person)))
    try {
      return mailLiquid({ values, now: now(workspace_id), timeZone: zoneOfWorkspace(workspace) }).plain(text)
    } catch (error) {
      if (error instanceof LiquidFailed) return undefined
      throw error
    }
  }
