import { Type } from 'typebox'
import type { ActContext } from '../kernel/decide/rules.ts'
import { managed } from '../kernel/model/field.ts'
import { flag, integer, moment } from '../kernel/model/fields.ts'
import { type EventSpec, model } from '../kernel/model/model.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { Refusal, refuse } from '../kernel/values/refusal.ts'

/** Attributes of the clock of a workspace. Ordinary workspaces use the clock of the machine; only a test workspace can move its own. */
export const clockAttributes = {
  test: managed(flag({ default: false }), { shown: 'never' }),
  /** Lead of the running clock over the machine's. */
  clock_offset_ms: managed(integer(), { shown: 'never' }),
  /** Time that the clock shows while it is being advanced, and the time to which it is advanced. */
  clock_at: managed(moment(), { shown: 'never' }),
  clock_target: managed(moment(), { shown: 'never' }),
}

/** Events of the clock of a workspace. */
export const clockEvents = {
  WorkspaceClockSent: { sets: ['clock_at', 'clock_target'] },
  WorkspaceClockMoved: { sets: ['clock_at'] },
  WorkspaceClockArrived: { sets: ['clock_offset_ms'], constants: { clock_at: null, clock_target: null } },
} as const satisfies Readonly<Record<string, EventSpec<typeof clockAttributes>>>

/** Model of a workspace with only the attributes and events of its clock. */
const clockModel = model('workspace', { attributes: clockAttributes, events: clockEvents })
const { event } = clockModel
type ClockModel = typeof clockModel

/** Clock of a test workspace. It runs with an offset from the machine's clock, or it is stopped while it is advanced to a target. Milliseconds. */
export type Clock =
  | { readonly state: 'ready'; readonly offset: number }
  | { readonly state: 'advancing'; readonly at: number; readonly target: number }

/** Returns the clock of a workspace; `undefined` if it uses the clock of the machine. */
export const clockOf = ({ test, clock_offset_ms: offset, clock_at: at, clock_target: target }: JsonObject) => {
  if (test !== true) return undefined
  if (typeof at === 'string' && typeof target === 'string')
    return { state: 'advancing', at: Date.parse(at), target: Date.parse(target) } satisfies Clock
  return { state: 'ready', offset: Number(offset ?? 0) } satisfies Clock
}

/** Returns the time by a clock. @param machine time by the clock of the machine; both in milliseconds since 1970 */
export const clockTime = (clock: Clock, machine: number): number =>
  clock.state === 'advancing' ? clock.at : machine + clock.offset

/** Highest number of years by which a clock can be advanced at once. */
const MAX_YEARS = 10

const latestTarget = (at: string): string => {
  const moment = new Date(at)
  moment.setUTCFullYear(moment.getUTCFullYear() + MAX_YEARS)
  return moment.toISOString()
}

const advanceClock = ({ before, wanted, at }: ActContext<ClockModel, { readonly to: string }>) => {
  const { to } = wanted
  if (!before.test) return refuse.invalid('Only a workspace that was made as a test workspace has a test clock')
  if (before.clock_target !== null) return refuse.conflict(CLOCK_ADVANCES)
  if (to <= at) return refuse.invalid(`To must be after what the clock shows, ${at}`, 'to', 'too_small')
  if (to > latestTarget(at))
    return refuse.invalid(`To must be at most ${MAX_YEARS} years after ${at}`, 'to', 'too_large')
  return [event.WorkspaceClockSent({ clock_at: at, clock_target: to })]
}

/** Message to clients that write while the clock is being advanced. */
export const CLOCK_ADVANCES = 'The test clock of this workspace is being advanced; try again when it is ready'

/** Whether an error says that nothing is written while the clock is being advanced. */
export const isClockAdvancing = (error: unknown): boolean =>
  error instanceof Refusal && error.message === CLOCK_ADVANCES

/** Acts of the clock of a workspace. The time of a command is the time by this clock. */
export const clockActs = {
  advanceClock,
  /** Moves the clock to the next instant at which something is due. */
  moveClock: ({ before, wanted: { to } }: ActContext<ClockModel, { readonly to: string }>) => {
    const { clock_at: at, clock_target: target } = before
    const isAhead = at !== null && target !== null && to > at && to <= target
    return isAhead ? [event.WorkspaceClockMoved({ clock_at: to })] : []
  },
  /** Lets the clock run on from its target. Its offset never shrinks, even if the machine's clock has moved on meanwhile. */
  letClockRun: ({ before, wanted: { offset_ms: offset } }: ActContext<ClockModel, { readonly offset_ms: number }>) => {
    const clock_offset_ms = Math.max(before.clock_offset_ms ?? 0, offset)
    return before.clock_target === null ? [] : [event.WorkspaceClockArrived({ clock_offset_ms })]
  },
}

/** Schema of a test clock in answers. */
export const clockSchema = Type.Object({
  workspace_id: Type.Integer(),
  state: Type.Enum(['ready', 'advancing'], { description: 'While it is advancing, writes to the workspace get 409' }),
  now: Type.String({ format: 'date-time', description: 'What the clock shows' }),
  to: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'Where it is going' }),
})

/** Returns a test clock as answers show it. @param at time by the clock */
export const shownClock = (workspace: JsonObject, at: string): JsonObject => {
  const clock = clockOf(workspace)
  return {
    workspace_id: workspace.id ?? null,
    state: clock?.state ?? 'ready',
    now: at,
    to: clock?.state === 'advancing' ? new Date(clock.target).toISOString() : null,
  }
}
