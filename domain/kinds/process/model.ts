import { type FieldTable, kept, type Values } from '../../kernel/field.ts'
import { choice, flag, integer, list, text } from '../../kernel/fields.ts'
import { type EventSpec, type Model, type ModelSpec, model } from '../../kernel/model.ts'

/** Names of the events of a process. Stored formats. */
export interface ProcessEvents {
  readonly begun: string
  /** A step was done or undone, or failed, and another one is next. */
  readonly moved: string
  /** It goes no further than the step that is under way. */
  readonly calledOff: string
  /** What became of its step could not be made out: somebody must look. */
  readonly stuck: string
  /** Somebody has looked: its step is tried again. */
  readonly resumed: string
  /** Every step is done. */
  readonly completed: string
  /** Nothing that it did is left. */
  readonly undone: string
}

/** Where a process stands. */
const standing = {
  status: kept(choice(['going', 'undoing', 'completed', 'undone'], { default: 'going' })),
  /** The step that is being done or undone; `null` when it has ended. */
  step: kept(text({ nullable: true })),
  /** Which part of the step that is, from 0. */
  part: kept(integer({ default: 0 }), { shown: 'never' }),
  /** Steps that are done and not undone, in their order. */
  done: kept(list(text({ required: true }), { default: [] })),
  /** Why it goes no further. */
  because: kept(text({ nullable: true })),
  /** Why somebody must look. */
  stuck: kept(text({ nullable: true })),
  /** Whether its step was stuck, be it tried again by now. */
  doubted: kept(flag({ default: false })),
}

export type Standing = Values<typeof standing>
export type StandingTable = typeof standing

/** A process: its own attributes, and where it stands. */
export interface ProcessModel<A extends FieldTable = FieldTable> extends Model<A & StandingTable, string, never> {
  readonly stages: ProcessEvents
}

/** Any process, as far as it is one. */
export type AnyProcessModel = ProcessModel<Record<never, never>>

const eventsOf = (stages: ProcessEvents): Readonly<Record<string, EventSpec<StandingTable>>> => ({
  [stages.begun]: { born: true },
  [stages.moved]: { changes: 'rest' },
  [stages.calledOff]: { sets: ['because'] },
  [stages.stuck]: { sets: ['stuck'], to: { doubted: true } },
  [stages.resumed]: { sets: ['status', 'step'], to: { stuck: null } },
  [stages.completed]: { changes: 'rest' },
  [stages.undone]: { changes: 'rest' },
})

type ProcessModelSpec<A extends FieldTable> = {
  readonly attributes: A
  readonly events: ProcessEvents
} & Pick<ModelSpec<A, never, never>, 'person'>

/**
 * The model of a process that spans several streams and the outside (design 7): a stream of its own, whose every step happens once.
 *
 * @param name of its collection and streams: `orders/checkout`
 */
export const processModel = <const A extends FieldTable>(
  name: string,
  { attributes, events: stages, person }: ProcessModelSpec<A>,
): ProcessModel<A> => {
  const all = { ...attributes, ...standing }
  // The events of a process concern its standing, whatever other attributes it has.
  const events = eventsOf(stages) as Readonly<Record<string, EventSpec<typeof all>>>
  return { ...model<typeof all, string, never>(name, { attributes: all, events, ...(person && { person }) }), stages }
}
