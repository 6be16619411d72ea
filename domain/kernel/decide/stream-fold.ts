import type { Document } from '../ports/read-models.ts'
import type { FoldedEvent } from '../values/event.ts'
import { memoryOf } from '../values/memory-of.ts'
import { parseStream } from '../values/stream-name.ts'
import type { StreamMember, StreamState } from './stream-state.ts'

/** Memory of a record besides its document: its entries in maps. */
const RECORD_BYTES = 64

/** Stands in for public ids, which decisions do not need. */
const noPublicId = () => ''

const bytesOf = (document: Document | undefined): number =>
  document === undefined ? 0 : RECORD_BYTES + memoryOf(document)

/** Documents of one member of a stream, of which those that events have touched are copies. */
interface OwnDocuments {
  readonly documents: Map<number, Document>
  readonly copied: Set<number>
}

/** A fold of consecutive events of one stream. It copies only the records that the events concern, and their maps, each once. */
export class StreamFold {
  readonly #members: readonly StreamMember[]
  readonly #before: StreamState
  readonly #own = new Map<string, OwnDocuments>()
  /** Records and bytes without the documents that were touched. */
  #records: number
  #bytes: number
  #streamId: number | undefined

  constructor(members: readonly StreamMember[], before: StreamState) {
    this.#members = members
    this.#before = before
    this.#records = before.records
    this.#bytes = before.bytes
  }

  add(event: FoldedEvent): void {
    this.#streamId ??= parseStream(event.stream).id
    for (const member of this.#members)
      for (const id of member.fold.touched(event, this.#streamId)) this.#apply(member, event, id)
  }

  #apply({ fold, model }: StreamMember, event: FoldedEvent, id: number): void {
    const { documents, copied } = this.#ownOf(model.name)
    const isOwn = copied.has(id)
    const before = documents.get(id)
    if (!isOwn && before) {
      this.#records--
      this.#bytes -= bytesOf(before)
    }
    copied.add(id)
    const after = fold.apply(before, event, id, noPublicId, isOwn)
    if (after) documents.set(id, after)
    else documents.delete(id)
  }

  #ownOf(name: string): OwnDocuments {
    const known = this.#own.get(name)
    if (known) return known
    const own = { documents: new Map(this.#before.documents[name]), copied: new Set<number>() }
    this.#own.set(name, own)
    return own
  }

  /** Ends the fold and returns the state after the events. The documents may be shared from then on. */
  end(): StreamState {
    if (this.#streamId === undefined) return this.#before
    const documents: Record<string, ReadonlyMap<number, Document>> = { ...this.#before.documents }
    let [records, bytes] = [this.#records, this.#bytes]
    for (const [name, own] of this.#own) {
      documents[name] = own.documents
      for (const id of own.copied) {
        const document = own.documents.get(id)
        if (document) records++
        bytes += bytesOf(document)
      }
    }
    return { began: true, documents, records, bytes }
  }
}
