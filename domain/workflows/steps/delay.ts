import { contact } from '../../contacts/contact/model.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import { BLANK_DELAY, delayFields, delayOf, delayProblem, isDelaySetUp } from './delay-settings.ts'
import { admittedAt, dueAt, zoneOfDelay } from './delay-times.ts'
import type { StepRun, StepSettings, Wait } from './effect.ts'
import { stepType } from './step-type.ts'

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

const until = async (
  documents: FactReader,
  settings: StepSettings,
  run: StepRun,
  at: string,
): Promise<Wait | undefined> => {
  const delay = delayOf(settings)
  if (run.due_at !== null) {
    // The time that counts was settled when the delay was reached, whatever has become of the contact's zone.
    const admitted = admittedAt(delay, at, run.zone ?? 'UTC')
    return admitted > at ? { until: admitted, due: run.due_at, zone: run.zone ?? 'UTC' } : undefined
  }
  const { ofContact, ofWorkspace } = await zonesFor(documents, run)
  const zone = zoneOfDelay(delay, ofContact, ofWorkspace)
  const due = dueAt(delay, run.entered_at ?? at, zone)
  const ends = due > at ? due : admittedAt(delay, at, zone)
  return ends > at ? { until: ends, due, zone } : undefined
}

/** Lets the run wait. */
export const delay = stepType('delay_step', {
  fields: delayFields,
  initial: BLANK_DELAY,
  problem: (settings) => delayProblem(delayOf(settings)),
  isSetUp: (settings) => isDelaySetUp(delayOf(settings)),
  does: { kind: 'waits', until },
})
