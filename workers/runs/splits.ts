import { contact } from '../../domain/contacts/contact/model.ts'
import { contactFilters, filterTest } from '../../domain/filters/public.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import { openDocument } from '../../domain/kernel/model/personal.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { type Branch, MATCHED, UNMATCHED } from '../../domain/resources/tree/tree.ts'
import { variantFor } from '../../domain/resources/tree/variant.ts'
import { weightsOf } from '../../domain/workflows/workflow/step-types.ts'
import type { FrozenStep } from '../../domain/workflows/workflow/tree.ts'
import type { RunsDeps } from './runs-deps.ts'

/** A branch, or why none can be chosen. */
export type Choice = { readonly branch: Branch } | { readonly why: string }

/** Run for which a branch is chosen. */
interface Chooser {
  readonly id: number
  readonly contact_id: number
}

const byCondition = async (
  { live, vault }: Pick<RunsDeps, 'live' | 'vault'>,
  { settings }: FrozenStep,
  { contact_id }: Chooser,
  at: string,
): Promise<Choice> => {
  const [filter, person] = await Promise.all([
    live.get(contactFilters.resource, Number(settings.filter_id)),
    live.get(contact.name, contact_id),
  ])
  if (!filter) return { why: 'the filter is gone' }
  if (!person) return { why: 'the contact is gone' }
  const test = await filterTest(vault, live, filter, at)
  if (test instanceof Refusal) return { why: 'the filter is not one of contacts' }
  return { branch: (await test(await openDocument(vault, person))) ? MATCHED : UNMATCHED }
}

/** Chooses the branch of a split: by chance, which is the same for the same run, or by the stored filter. The documents must show what the run did before. */
export const chooseBranch = async (
  deps: Pick<RunsDeps, 'live' | 'vault'>,
  step: FrozenStep,
  run: Chooser,
  at: string,
): Promise<Choice> =>
  step.type === 'split_test_step'
    ? { branch: variantFor({ id: step.id, weights: weightsOf(step.settings) }, String(run.id)) }
    : byCondition(deps, step, run, at)

/** Returns the time zones in which a delay may count: that of the contact, and that of the workspace. */
export const zonesFor = async (
  { live }: Pick<RunsDeps, 'live'>,
  contactId: number,
  workspaceId: number,
): Promise<{ readonly ofContact: string | null; readonly ofWorkspace: string | null }> => {
  const [person, workspace] = await Promise.all([live.get(contact.name, contactId), live.get('workspace', workspaceId)])
  return {
    ofContact: person ? recordOf(contact)(person).time_zone : null,
    ofWorkspace: typeof workspace?.time_zone === 'string' ? workspace.time_zone : null,
  }
}
