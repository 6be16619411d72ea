import { contact } from '../../contacts/contact/model.ts'
import { contactFilters, filterTest } from '../../filters/public.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import { openDocument } from '../../kernel/model/personal.ts'
import { Refusal } from '../../kernel/values/refusal.ts'
import { type Branch, MATCHED, UNMATCHED } from '../../resources/tree/tree.ts'
import { variantFor } from '../../resources/tree/variant.ts'
import { admittedAt, dueAt, zoneOfDelay } from '../workflow/delay.ts'
import { delayOf } from '../workflow/delay-settings.ts'
import { weightsOf } from '../workflow/step-types.ts'
import type { FrozenStep } from '../workflow/tree.ts'
import type { StepDeps, StepRun } from './effect.ts'

/** A branch, or why none can be chosen. */
type Choice = { readonly branch: Branch } | { readonly why: string }

const byCondition = async (
  { documents, vault }: Pick<StepDeps, 'documents' | 'vault'>,
  { settings }: FrozenStep,
  { contact_id }: StepRun,
  at: string,
): Promise<Choice> => {
  const [filter, person] = await Promise.all([
    documents.get(contactFilters.resource, Number(settings.filter_id)),
    documents.get(contact.name, contact_id),
  ])
  if (!filter) return { why: 'the filter is gone' }
  if (!person) return { why: 'the contact is gone' }
  const test = await filterTest(vault, documents, filter, at)
  if (test instanceof Refusal) return { why: 'the filter is not one of contacts' }
  return { branch: (await test(await openDocument(vault, person))) ? MATCHED : UNMATCHED }
}

/** Chooses the branch of a split: by chance, which is the same for the same run, or by the stored filter. The documents must show what the run did before. */
export const chooseBranch = async (
  deps: Pick<StepDeps, 'documents' | 'vault'>,
  step: FrozenStep,
  run: StepRun,
  at: string,
): Promise<Choice> =>
  step.type === 'split_test_step'
    ? { branch: variantFor({ id: step.id, weights: weightsOf(step.settings) }, String(run.id)) }
    : byCondition(deps, step, run, at)

/** Returns the time zones in which a delay may count: that of the contact, and that of the workspace. */
const zonesFor = async (
  documents: FactReader,
  { contact_id, workspace_id = 0 }: StepRun,
): Promise<{ readonly ofContact: string | null; readonly ofWorkspace: string | null }> => {
  const [person, workspace] = await Promise.all([
    documents.get(contact.name, contact_id),
    documents.get('workspace', workspace_id),
  ])
  return {
    ofContact: person ? recordOf(contact)(person).time_zone : null,
    ofWorkspace: typeof workspace?.time_zone === 'string' ? workspace.time_zone : null,
  }
}

/** Until when a run waits at a delay, and when the delay itself ends, in the zone that counts. */
export interface Wait {
  readonly until: string
  readonly due: string
  readonly zone: string
}

/** Returns until when a run waits at a delay; `undefined`: it goes on. */
export const waitAt = async (
  documents: FactReader,
  { settings }: FrozenStep,
  run: StepRun,
  at: string,
): Promise<Wait | undefined> => {
  const delay = delayOf(settings)
  if (run.due_at !== null) {
    // The time that counts was settled when the delay was reached, whatever has become of the contact's zone.
    const until = admittedAt(delay, at, run.zone ?? 'UTC')
    return until > at ? { until, due: run.due_at, zone: run.zone ?? 'UTC' } : undefined
  }
  const { ofContact, ofWorkspace } = await zonesFor(documents, run)
  const zone = zoneOfDelay(delay, ofContact, ofWorkspace)
  const due = dueAt(delay, run.entered_at ?? at, zone)
  const until = due > at ? due : admittedAt(delay, at, zone)
  return until > at ? { until, due, zone } : undefined
}
