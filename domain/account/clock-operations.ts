import { moment } from '../kernel/model/fields.ts'
import { refuse } from '../kernel/values/refusal.ts'
import type { Shown } from '../resources/operation.ts'
import { read } from '../resources/operations.ts'
import { asks } from '../resources/writes.ts'
import { clockOf, clockSchema, shownClock } from './clock.ts'

const PATH = '/workspaces/{id}/test_clock'

const shown: Shown = {
  schema: clockSchema,
  of: (document, load) => shownClock(document, load.now(Number(document.id))),
}

/** Operations that show and advance the clock of a test workspace. */
export const clockOperations = {
  getWorkspacesTestClock: read(PATH, {
    schema: clockSchema,
    beyondContract: true,
    summary: 'What the clock of a test workspace shows',
    read: async ({ document, load, pack }) =>
      document && clockOf(document) ? shown.of(document, load, pack) : refuse.notFound('Not found: No test clock'),
  }),
  advanceWorkspacesTestClock: asks(PATH, 'advanceClock', {
    consequence: 'lets everything happen that is due until then',
    answers: 202,
    beyondContract: true,
    summary: 'Advances the clock of a test workspace: everything that is due on the way happens at its own instant',
    body: {
      root: null,
      fields: { to: moment({ required: true, about: 'At most ten years after what the clock shows' }) },
      mode: 'create',
    },
    shows: shown,
  }),
}
