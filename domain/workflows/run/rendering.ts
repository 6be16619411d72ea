import { contact } from '../../contacts/contact/model.ts'
import { LiquidFailed, mailLiquid, valuesFor } from '../../emails/public.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import { openDocument } from '../../kernel/model/personal.ts'
import { zoneOfWorkspace } from '../../resources/attributes/time-zone.ts'
import type { StepDeps, StepRun } from './effect.ts'

/** Returns a function that renders Liquid with the values of the contact of a run. */
export const rendererFor =
  (
    { documents, vault }: Pick<StepDeps, 'documents' | 'vault'>,
    { contact_id, workspace_id = 0 }: StepRun,
    at: string,
  ) =>
  async (text: string): Promise<string | undefined> => {
    const [person, workspace] = await Promise.all([
      documents.get(contact.name, contact_id),
      documents.get('workspace', workspace_id),
    ])
    if (!person || !workspace) return undefined
    const values = valuesFor({}, recordOf(contact)(await openDocument(vault, person)))
    try {
      return mailLiquid({ values, now: Date.parse(at), timeZone: zoneOfWorkspace(workspace) }).plain(text)
    } catch (error) {
      if (error instanceof LiquidFailed) return undefined
      throw error
    }
  }
