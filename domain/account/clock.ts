import { Type } from 'typebox'
import type { ActContext } from '../kernel/decide/rules.ts'
import { managed } from '../kernel/model/field.ts'
import { flag, integer, moment } from '../kernel/model/fields.ts'
import { type EventSpec, model } from '../kernel/model/model.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { refuse } from '../kernel/values/refusal.ts'

/** What a workspace knows of its clock. An ordinary one has that of the machine; only a test workspace can move its own. */
export const clockAttributes = {
  test: managed(flag({ default: false }), { shown: 'never' }),
  /** How far the clock is ahead while it runs. */
  clock_offset_ms: managed(integer(), { shown: 'never' }),
  /** Where it stands while it is being advanced, and how far it is to go. */
  clock_at: managed(moment(), { shown: 'never' }),
  clock_target: managed(moment(), { shown: 'never' }),
}

/** How the clock comes to be where it is. */
export const clockEvents = {
  WorkspaceClockSent: { sets: ['clock_at', 'clock_target'] },
  WorkspaceClockMoved: { sets: ['clock_at'] },
  WorkspaceClockArrived: { sets: ['clock_offset_ms'], constants: { clock_at: null, clock_target: null } },
} as const satisfies Readonly<Record<string, EventSpec<typeof clockAttributes>>>

/** A workspace, as far as it has a clock. */
const clocked = model('workspace', { attributes: clockAttributes, events: clockEvents })
const { event } = clocked
type Clocked = typeof clocked

/** The clock of a test workspace: it runs, so far ahead of the machine's, or it stands on its way to a target; milliseconds. */
export type Clock =
  | { readonly state: 'ready'; readonly offset: number }
  | { readonly state: 'advancing'; readonly at: number; readonly target: number }

/** The clock of a workspace; `undefined` when it is that of the machine. */
export const clockOf = ({ test, clock_offset_ms: offset, clock_at: at, clock_target: target }: JsonObject) => {
  if (test !== true) return undefined
  if (typeof at === 'string' && typeof target === 'string')
    return { state: 'advancing', at: Date.parse(at), target: Date.parse(target) } satisfies Clock
  return { state: 'ready', offset: Number(offset ?? 0) } satisfies Clock
}

/** What a clock shows. @param machine what the clock of the machine shows; both in milliseconds since 1970 */
export const timeBy = (clock: Clock, machine: number): number =>
  clock.state === 'advancing' ? clock.at : machine + clock.offset

/** So far a clock goes at once. */
const MOST_YEARS = 10

const farthest = (at: string): string => {
  const moment = new Date(at)
  moment.setUTCFullYear(moment.getUTCFullYear() + MOST_YEARS)
  return moment.toISOString()
}

const advanceClock = ({ before, wanted, at }: ActContext<Clocked, { readonly to: string }>) => {
  const { to } = wanted
  if (!before.test) return refuse.invalid('Only a workspace that was made as a test workspace has a test clock')
  if (before.clock_target !== null) return refuse.conflict(CLOCK_ADVANCES)
  if (to <= at) return refuse.invalid(`To must be after what the clock shows, ${at}`, 'to', 'too_small')
  if (to > farthest(at)) return refuse.invalid(`To must be at most ${MOST_YEARS} years after ${at}`, 'to', 'too_large')
  return [event.WorkspaceClockSent({ clock_at: at, clock_target: to })]
}

/** Said to whoever would write meanwhile. */
export const CLOCK_ADVANCES = 'The test clock of this workspace is being advanced; try again when it is ready'

/** What is asked of the clock of a workspace; the moment of a command is what the clock shows. */
export const clockActs = {
  advanceClock,
  /** To the next instant at which something is due. */
  moveClock: ({ before, wanted: { to } }: ActContext<Clocked, { readonly to: string }>) => {
    const { clock_at: at, clock_target: target } = before
    const isAhead = at !== null && target !== null && to > at && to <= target
    return isAhead ? [event.WorkspaceClockMoved({ clock_at: to })] : []
  },
  /** It runs on from its target: never nearer to the machine's than it was, should that have gone further meanwhile. */
  letClockRun: ({ before, wanted: { offset_ms: offset } }: ActContext<Clocked, { readonly offset_ms: number }>) => {
    const clock_offset_ms = Math.max(before.clock_offset_ms ?? 0, offset)
    return before.clock_target === null ? [] : [event.WorkspaceClockArrived({ clock_offset_ms })]
  },
}

/** How a test clock is shown. */
export const clockSchema = Type.Object({
  workspace_id: Type.Integer(),
  state: Type.Enum(['ready', 'advancing'], { description: 'While it is advancing, writes to the workspace get 409' }),
  now: Type.String({ format: 'date-time', description: 'What the clock shows' }),
  to: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description: 'Where it is going' }),
})

/** @param at what the clock shows */
export const shownClock = (workspace: JsonObject, at: string): JsonObject => {
  const clock = clockOf(workspace)
  return {
    workspace_id: workspace.id ?? null,
    state: clock?.state ?? 'ready',
    now: at,
    to: clock?.state === 'advancing' ? new Date(clock.target).toISOString() : null,
  }
}
