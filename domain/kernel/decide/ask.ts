import { type Model, roleOf } from '../model/model.ts'
import type { JsonObject } from '../values/event.ts'
import type { MintId } from '../values/ids.ts'
import type { Actor } from './command.ts'
import type { Decider } from './decider.ts'
import type { ActInputs, RecordCommand, RecordInputs } from './rules.ts'

/** Something that is asked of a record. Whoever carries it out says when and as whom. */
export interface Ask {
  readonly aggregate: Decider
  /** Of an instance that is there; `new` for one that comes into being by it. */
  readonly id: number | 'new'
  /** It comes into being by it, under that id, which was minted for it. */
  readonly isNew?: true
  readonly command: Omit<RecordCommand, 'id' | 'at' | 'actor'> & Partial<Pick<RecordCommand, 'id'>>
}

/** When and as whom something is asked. */
export interface Stamp {
  readonly at: string
  readonly actor: Actor
}

/** What is asked, as it is carried out. @param id of the instance, which may be new */
export const stampCommand = ({ aggregate, id: of, command }: Ask, { at, actor }: Stamp, id = Number(of)) => ({
  aggregate,
  id,
  command: { id, at, actor, ...command } satisfies RecordCommand,
})

/** The instance that something is asked of, with an id of its own where it begins by it. */
export const instanceOf = ({ aggregate, id, isNew }: Ask, mint: MintId) => ({
  id: id === 'new' ? mint(aggregate) : id,
  isNew: isNew ?? id === 'new',
})

/** Where a record is asked: in a stream of its own, or among the children of another. */
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
 * The children of a model in one stream of an aggregate.
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
  const place: ChildTarget<InputsOf<Inputs, M> & ActInputs> = { aggregate, stream, role }
  return place
}

const isChild = (place: AskTarget): place is ChildTarget<ActInputs> => 'role' in place

/** What may come with a command. */
interface AskOptions extends Pick<RecordCommand, 'ids' | 'as' | 'workspaceId'> {
  readonly isNew?: true
}

/**
 * Something that is asked of a record.
 *
 * @param place an aggregate, for the records that its streams are named after, or children in one of them
 */
export const ask = <T extends ActInputs, Act extends keyof T & string>(
  place: AskTarget<T>,
  id: number | 'new',
  act: Act,
  wanted: NoInfer<T[Act]>,
  { isNew, ...besides }: AskOptions = {},
): Ask => {
  // Whatever an act goes by is JSON: it may be kept in the log.
  const command = { type: act as string, wanted: wanted as JsonObject, ...besides }
  if (!isChild(place)) return { aggregate: place as Decider, id, ...(isNew && { isNew }), command }
  const { aggregate, stream, role } = place
  return { aggregate, id: stream, command: { ...command, child: role, id: Number(id) } }
}
