import { type DerivedEvents, derivedEventsOf } from '../model/derived-events.ts'
import { type Fold, foldOf, initialFieldsOf, recordOf } from '../model/fold.ts'
import type { Child, Model, RecordOf } from '../model/model.ts'
import type { Document } from '../ports/read-models.ts'
import type { JsonObject } from '../values/event.ts'
import type { AnyRules, StreamRecords } from './rules.ts'

/** Documents of the records of a stream, by model and id. Rules read them as `StreamRecords`. */
export interface StreamState {
  readonly began: boolean
  readonly documents: Readonly<Record<string, ReadonlyMap<number, Document>>>
  /** Number of documents, of the root and of all kinds of children. */
  readonly records: number
  /** Approximate size of the documents in memory. */
  readonly bytes: number
}

/** State of a stream without events. */
export const EMPTY_STREAM: StreamState = { began: false, documents: {}, records: 0, bytes: 0 }

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
