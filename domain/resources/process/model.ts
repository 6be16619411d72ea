import { Type } from 'typebox'
import { type FieldTable, managed, type Values } from '../../kernel/model/field.ts'
import { choice, flag, integer, list, text } from '../../kernel/model/fields.ts'
import { type Declared, type EventSpec, type Model, model } from '../../kernel/model/model.ts'
import { COMPENSATED, COMPENSATING, COMPLETED, RUNNING, SHOWN_STATUS } from './status.ts'

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
  status: managed(choice([RUNNING, COMPENSATING, COMPLETED, COMPENSATED], { default: RUNNING }), {
    shown: {
      schema: Type.Enum(Object.values(SHOWN_STATUS)),
      of: (status) => SHOWN_STATUS[String(status)] ?? null,
    },
  }),
  /** The step that is being done or undone; `null` when it has ended. */
  step: managed(text({ nullable: true })),
  /** Which part of the step that is, from 0. */
  part: managed(integer({ default: 0 }), { shown: 'never' }),
  /** Steps that are done and not undone, in their order. */
  done: managed(list(text({ required: true }), { default: [] })),
  /** Why it goes no further. */
  because: managed(text({ nullable: true }), { shown: 'never' }),
  /** Why somebody must look. */
  stuck: managed(text({ nullable: true })),
  /** Whether its step was stuck, be it tried again by now. */
  doubted: managed(flag({ default: false })),
}

export type Standing = Values<typeof standing>
export type StandingTable = typeof standing

/** A process: its own attributes, and where it stands. */
export interface ProcessModel<A extends FieldTable = FieldTable> extends Model {
  readonly attributes: A & StandingTable
  readonly stages: ProcessEvents
}

/** Any process, as far as it is one. */
export type AnyProcessModel = ProcessModel<Record<never, never>>

/** The events of a process concern its standing, whatever other attributes it has. */
interface ProcessTable {
  readonly begun: { readonly creates: true }
  readonly moved: { readonly changes: 'rest' }
  readonly calledOff: { readonly sets: readonly ['because'] }
  readonly stuck: { readonly sets: readonly ['stuck'] }
  readonly resumed: { readonly sets: readonly ['status', 'step'] }
  readonly completed: { readonly changes: 'rest' }
  readonly undone: { readonly changes: 'rest' }
}

const eventsOf = (stages: ProcessEvents): Readonly<Record<string, EventSpec>> => ({
  [stages.begun]: { creates: true },
  [stages.moved]: { changes: 'rest' },
  [stages.calledOff]: { sets: ['because'] },
  [stages.stuck]: { sets: ['stuck'], constants: { doubted: true } },
  [stages.resumed]: { sets: ['status', 'step'], constants: { stuck: null } },
  [stages.completed]: { changes: 'rest' },
  [stages.undone]: { changes: 'rest' },
})

interface ProcessModelSpec<A extends FieldTable, E extends ProcessEvents> {
  readonly attributes: A
  readonly events: E
  readonly person?: keyof NoInfer<A> & string
}

/** A process as it was declared. */
type DeclaredProcess<Name extends string, A extends FieldTable, E extends ProcessEvents> = Declared<
  Name,
  A & StandingTable,
  { readonly [stage in keyof ProcessTable as E[stage]]: ProcessTable[stage] },
  Name,
  never,
  Record<never, never>,
  never
> & { readonly stages: E }

/**
 * The model of a process that spans several streams and the outside (design 7): a stream of its own, whose every step happens once.
 *
 * @param name of its collection and streams: `orders/checkout`
 */
export const processModel = <const Name extends string, const A extends FieldTable, const E extends ProcessEvents>(
  name: Name,
  { attributes, events: stages, person }: ProcessModelSpec<A, E>,
): DeclaredProcess<Name, A, E> => {
  const all: FieldTable = { ...attributes, ...standing }
  const own: Model = model(name, { attributes: all, events: eventsOf(stages), ...(person && { person }) })
  // Its events are by the names that its stages have.
  return { ...own, stages } as DeclaredProcess<Name, A, E>
}
