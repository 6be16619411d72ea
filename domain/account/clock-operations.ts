import { ask } from '../kernel/decide/ask.ts'
import type { Decider } from '../kernel/decide/decider.ts'
import { moment } from '../kernel/model/fields.ts'
import { Refusal, refuse } from '../kernel/values/refusal.ts'
import type { ActionInput, ActionOperation } from '../resources/operation.ts'
import { read } from '../resources/operations.ts'
import type { ReadOperation } from '../resources/read-operation.ts'
import { clockOf, clockSchema, shownClock } from './clock.ts'

const PATH = '/workspaces/{id}/test_clock'

const fields = { to: moment({ required: true, about: 'At most ten years after what the clock shows' }) }

type Workspaces = Decider<{ readonly advanceClock: { readonly to: string } }>

const advance =
  (workspaces: Workspaces) =>
  async ({ document, fields: { to }, at, transact, read }: ActionInput) => {
    const id = Number(document?.id)
    if (typeof to !== 'string') return refuse.invalid("To can't be blank", 'to', 'blank')
    const refusal = await transact(ask(workspaces, id, 'advanceClock', { to }, { workspaceId: id }))
    if (refusal instanceof Refusal) return refusal
    return shownClock((await read.get('workspace', id)) ?? {}, at)
  }

/** Builds the operations that show and advance the clock of a test workspace. */
export const clockOperations = (
  workspaces: Workspaces,
): { readonly [id in 'getWorkspacesTestClock' | 'advanceWorkspacesTestClock']: ReadOperation | ActionOperation } => ({
  getWorkspacesTestClock: read(PATH, {
    schema: clockSchema,
    beyondContract: true,
    summary: 'What the clock of a test workspace shows',
    read: async ({ document, at }) =>
      document && clockOf(document) ? shownClock(document, at) : refuse.notFound('Not found: No test clock'),
  }),
  advanceWorkspacesTestClock: {
    kind: 'call',
    method: 'POST',
    path: PATH,
    beyondContract: true,
    summary: 'Advances the clock of a test workspace: everything that is due on the way happens at its own instant',
    body: { root: null, fields, mode: 'create' },
    schema: clockSchema,
    answers: 202,
    call: advance(workspaces),
  },
})
