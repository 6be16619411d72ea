import { Type } from 'typebox'
import { type FieldTable, managed, type Values } from '../../kernel/model/field.ts'
import { choice, flag, integer, list, text } from '../../kernel/model/fields.ts'
import { type DeclaredModel, type EventSpec, type Model, model } from '../../kernel/model/model.ts'
import { mergeAttributes } from '../attributes/merge.ts'
import { COMPENSATED, COMPENSATING, COMPLETED, RUNNING, SHOWN_STATUS } from './status.ts'

/** Names of the events of a process. Stored formats. */
export interface ProcessEvents {
  readonly begun: string
  /** A part of a step was done, compensated or failed, and another one follows. */
  readonly moved: string
  /** The process stops after the step that is under way. */
  readonly calledOff: string
  /** The outcome of its step could not be determined: somebody must check. */
  readonly stuck: string
  /** Somebody has checked: its step is tried again. */
  readonly resumed: string
  /** Every step is done. */
  readonly completed: string
  /** Every step that was done is compensated. */
  readonly undone: string
}

/** Attributes with the state of a process. */
const stateAttributes = {
  status: managed(choice([RUNNING, COMPENSATING, COMPLETED, COMPENSATED], { default: RUNNING }), {
    shown: {
      schema: Type.Enum(Object.values(SHOWN_STATUS)),
      of: (status) => SHOWN_STATUS[String(status)] ?? null,
    },
  }),
  /** The step that is being invoked or compensated; `null` once the process has ended. */
  step: managed(text({ nullable: true })),
  /** The part of the step that is under way, from 0. */
  part: managed(integer({ default: 0 }), { shown: 'never' }),
  /** Steps that are done and not compensated, in order. */
  done: managed(list(text({ required: true }), { default: [] })),
  /** Reason why the process stops or is compensated. */
  because: managed(text({ nullable: true }), { shown: 'never' }),
  /** Step whose failure made the process stop. */
  failed: managed(text({ nullable: true }), { shown: 'never' }),
  /** Reason why somebody must check. */
  stuck: managed(text({ nullable: true })),
  /** Whether its step was stuck, even if it has been tried again since. */
  doubted: managed(flag({ default: false })),
}

export type ProcessState = Omit<Values<typeof stateAttributes>, 'failed'>
export type ProcessStateTable = typeof stateAttributes

/** Model of a process, with its own attributes and its state. */
export interface ProcessModel<A extends FieldTable = FieldTable> extends Model {
  readonly attributes: A & ProcessStateTable
  readonly stages: ProcessEvents
}

/** Model of any process, with only the attributes that all processes have. */
export type AnyProcessModel = ProcessModel<Record<never, never>>

/** Types of the events of a process. They name only its state, not its own attributes. */
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

/** Model of a process as it was declared. */
type DeclaredProcess<Name extends string, A extends FieldTable, E extends ProcessEvents> = DeclaredModel<
  Name,
  A & ProcessStateTable,
  { readonly [stage in keyof ProcessTable as E[stage]]: ProcessTable[stage] },
  Name,
  never,
  Record<never, never>,
  never
> & { readonly stages: E }

/**
 * Builds the model of a process that spans several streams and external services. It has a stream of its own, and each of its steps happens once.
 *
 * @param name name of its collection and streams: `orders/checkout`
 */
export const processModel = <const Name extends string, const A extends FieldTable, const E extends ProcessEvents>(
  name: Name,
  { attributes, events: stages, person }: ProcessModelSpec<A, E>,
): DeclaredProcess<Name, A, E> => {
  const all: FieldTable = mergeAttributes(name, attributes, stateAttributes)
  const built: Model = model(name, { attributes: all, events: eventsOf(stages), ...(person && { person }) })
  // The events have the names of the stages.
  return { ...built, stages } as DeclaredProcess<Name, A, E>
}
