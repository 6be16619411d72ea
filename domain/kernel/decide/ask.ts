import { type Model, roleOf } from '../model/model.ts'
import type { JsonObject } from '../values/event.ts'
import type { MintId } from '../values/ids.ts'
import type { Actor } from './command.ts'
import type { Decider } from './decider.ts'
import type { ActInputs, RecordCommand, RecordInputs } from './rules.ts'

/** A command for a record, without time and actor. Those are added when it is carried out. */
export interface Ask {
  readonly aggregate: Decider
  /** Id of an existing instance; `new` for one that the command creates. */
  readonly id: number | 'new'
  /** The command creates the instance, under the given id, which was minted for it. */
  readonly isNew?: true
  /** Team and workspace of its events, where they are not those of what caused it. */
  readonly of?: { readonly teamId: number; readonly workspaceId: number }
  readonly command: Omit<RecordCommand, 'id' | 'at' | 'actor'> & Partial<Pick<RecordCommand, 'id'>>
}

/** Time and actor of a command. */
export interface Stamp {
  readonly at: string
  readonly actor: Actor
}

/** Returns the target of an ask and its complete command. @param id of the instance, which may be new */
export const stampCommand = ({ aggregate, id: of, command }: Ask, { at, actor }: Stamp, id = Number(of)) => ({
  aggregate,
  id,
  command: { id, at, actor, ...command } satisfies RecordCommand,
})

/** Returns the id of the instance that an ask is for, minted if the instance is new, and whether it is new. */
export const instanceOf = ({ aggregate, id, isNew }: Ask, mint: MintId) => ({
  id: id === 'new' ? mint(aggregate) : id,
  isNew: isNew ?? id === 'new',
})

/** Target of a command: records with their own streams, or children in the stream of another. */
export interface AskTarget<T extends ActInputs = ActInputs> {
  /** Only for the compiler. */
  readonly inputs?: T
}

interface ChildTarget<T extends ActInputs> extends AskTarget<T> {
  readonly aggregate: Decider
  readonly stream: number
  readonly role: string
}

type InputsOf<Inputs, M extends Model> = M['name'] extends keyof Inputs ? Inputs[M['name']] : RecordInputs<M>

/**
 * Returns the children of one model in a stream, as a target. Throws an Error if the aggregate has no such children.
 *
 * @param stream id of the record that the stream is named after
 */
export const within = <Inputs, M extends Model & { readonly stream: keyof Inputs }>(
  aggregate: Decider<ActInputs, Inputs>,
  stream: number,
  of: M,
): AskTarget<InputsOf<Inputs, M> & ActInputs> => {
  const role = roleOf(aggregate.model, of)
  if (role === undefined) throw new Error(`${aggregate.name} has no ${of.name}`)
  const target: ChildTarget<InputsOf<Inputs, M> & ActInputs> = { aggregate, stream, role }
  return target
}

const isChild = (target: AskTarget): target is ChildTarget<ActInputs> => 'role' in target

/** Optional parts of a command. */
interface AskOptions<Act extends string> extends Pick<RecordCommand, 'ids' | 'as' | 'workspaceId'> {
  readonly isNew?: true
  readonly ifTaken?: Act
}

/**
 * Makes a command for a record.
 *
 * @param target an aggregate, for the records that its streams are named after, or children in one of its streams
 */
export const ask = <T extends ActInputs, Act extends keyof T & string>(
  target: AskTarget<T>,
  id: number | 'new',
  act: Act,
  wanted: NoInfer<T[Act]>,
  { isNew, ...options }: AskOptions<keyof T & string> = {},
): Ask => {
  // The cast is safe: the input of an act is JSON, because a command may be stored in the log.
  const command = { type: act as string, wanted: wanted as JsonObject, ...options }
  if (!isChild(target)) return { aggregate: target as Decider, id, ...(isNew && { isNew }), command }
  const { aggregate, stream, role } = target
  return { aggregate, id: stream, command: { ...command, child: role, id: Number(id) } }
}
