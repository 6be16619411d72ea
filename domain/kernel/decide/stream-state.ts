import { type DerivedEvents, derivedEventsOf } from '../model/derived-events.ts'
import { type Fold, foldOf, initialFieldsOf, recordOf } from '../model/fold.ts'
import type { Child, Model, RecordOf } from '../model/model.ts'
import type { Document } from '../ports/read-models.ts'
import type { FoldedEvent, JsonObject } from '../values/event.ts'
import { parseStream } from '../values/stream-name.ts'
import type { AnyRules, StreamRecords } from './rules.ts'

/** Documents of the records of a stream, by model and id. Rules read them as `StreamRecords`. */
export interface StreamState {
  readonly began: boolean
  readonly documents: Readonly<Record<string, ReadonlyMap<number, Document>>>
}

/** State of a stream without events. */
export const EMPTY_STREAM: StreamState = { began: false, documents: {} }

/** One model of a stream, of its root or of children, with everything that is derived from it. */
export interface StreamMember {
  readonly role: string | undefined
  readonly child: Child | undefined
  readonly model: Model
  readonly rules: AnyRules
  readonly fold: Fold
  readonly derived: DerivedEvents
  /** Attributes of a record before anything is assigned. */
  readonly blank: JsonObject
  readonly open: (document: JsonObject) => RecordOf<Model>
  /** Attributes that take the value of the command unless a rule changes it. */
  readonly assignable: ReadonlySet<string>
}

/** Makes a member of the streams of a root. @param role role among the root's children; `undefined` for the root itself */
export const memberOf = (root: Model, role: string | undefined, rules: AnyRules): StreamMember => {
  const child = role === undefined ? undefined : root.children[role]
  const model = child?.model ?? root
  const open = recordOf(model)
  const assignable = Object.entries(model.attributes).filter(([, field]) => field.role !== 'requested')
  return {
    role,
    child,
    model,
    rules,
    fold: foldOf(model, child && { parent: root, child }),
    derived: derivedEventsOf(model, child),
    blank: open(initialFieldsOf(model)),
    open,
    assignable: new Set(assignable.map(([name]) => name)),
  }
}

/** Records of a stream, as rules see them. */
export class RecordsOfStream implements StreamRecords {
  readonly #state: StreamState

  constructor(state: StreamState) {
    this.#state = state
  }

  get began(): boolean {
    return this.#state.began
  }

  one<M extends Model>(model: M, id: number): RecordOf<M> | undefined {
    const document = this.#state.documents[model.name]?.get(id)
    return document && recordOf(model)(document)
  }

  root<M extends Model>(model: M): RecordOf<M> | undefined {
    const [document] = this.#state.documents[model.name]?.values() ?? []
    return document && recordOf(model)(document)
  }

  all<M extends Model>(model: M): readonly RecordOf<M>[] {
    return [...(this.#state.documents[model.name]?.values() ?? [])].map(recordOf(model))
  }
}

/** Stands in for public ids, which decisions do not need. */
const noPublicId = () => ''

/** Returns the function that folds events into a state. It copies only the records that the events concern, and their maps. */
export const foldOver =
  (members: readonly StreamMember[]) =>
  ({ began, documents: before }: StreamState, events: readonly FoldedEvent[]): StreamState => {
    const [first] = events
    if (!first) return { began, documents: before }
    const streamId = parseStream(first.stream).id
    const documents: Record<string, ReadonlyMap<number, Document>> = { ...before }
    for (const { fold, model } of members) {
      let records: Map<number, Document> | undefined
      const copied = new Set<number>()
      for (const event of events) {
        for (const id of fold.touched(event, streamId)) {
          records ??= new Map(before[model.name])
          const after = fold.apply(records.get(id), event, id, noPublicId, copied.has(id))
          copied.add(id)
          if (after) records.set(id, after)
          else records.delete(id)
        }
      }
      if (records) documents[model.name] = records
    }
    return { began: true, documents }
  }
