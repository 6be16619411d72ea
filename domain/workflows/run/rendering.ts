import { contact } from '../../contacts/contact/model.ts'
import { valuesFor } from '../../emails/public.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import { openDocument } from '../../kernel/model/personal.ts'
import { zoneOfWorkspace } from '../../resources/attributes/time-zone.ts'
import type { StepDeps, StepRun } from '../steps/effect.ts'

/** Returns a function that renders Liquid with the values of the contact of a run. */
export const rendererFor =
  (
    { documents, vault, texts }: Pick<StepDeps, 'documents' | 'vault' | 'texts'>,
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
    return texts.render(workspace_id, { text, values, now: Date.parse(at), timeZone: zoneOfWorkspace(workspace) })
  }
