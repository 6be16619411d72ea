import { randomUUID } from 'node:crypto'
import type { JSONEventData } from '@eventstore/db-client'
import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams, { type BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js'
import type { ClientDuplexStream } from '@grpc/grpc-js'
import { ContactLost } from './failures.ts'

/** What the server answers; `else`: something that a call of its own explains better. */
export type BatchAnswer =
  | { readonly kind: 'done'; readonly revision: number; readonly position: number }
  | { readonly kind: 'wrong revision'; readonly actual: number }
  | { readonly kind: 'else' }

interface Waiter {
  answer(answer: BatchAnswer): void
  fail(error: Error): void
}

type Call = ClientDuplexStream<BatchAppendReq, BatchAppendResp>

const WRONG_REVISION = 'event_store.client.WrongExpectedVersion'

/**
 * Appends that share one call, any number under way at a time and each answered apart: a third of the time that a call of its own takes, and of
 * the processor. The client has one as well, which keeps the appends of all its instances in one table: an error on one call fails them all, a
 * late answer then throws out of an event handler, and nothing limits the wait.
 */
export class BatchCall {
  readonly #call: Call
  readonly #waiting = new Map<string, Waiter>()
  readonly #onEnd: () => void
  #ended = false
  #retired = false

  /** @param onEnd told when nothing more can be sent over it */
  constructor(call: Call, onEnd: () => void) {
    this.#call = call
    this.#onEnd = onEnd
    call.on('data', (response: BatchAppendResp) => this.#settle(response))
    call.on('error', (error: Error) => this.#end(error))
    call.on('end', () => this.#end(new ContactLost('the server has ended the call')))
  }

  /**
   * @param expected revision of the last event of the stream, or -1
   * @throws {ContactLost} when no answer comes in time; what the call ended with, if it did
   */
  append(stream: string, expected: number, events: readonly JSONEventData[], timeoutMs: number): Promise<BatchAnswer> {
    const id = randomUUID()
    return new Promise((resolve, reject) => {
      const forget = () => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        this.#endWhenDone()
      }
      const fail = (error: Error) => {
        forget()
        reject(error)
      }
      const answer = (came: BatchAnswer) => {
        forget()
        resolve(came)
      }
      const timer = setTimeout(() => fail(new ContactLost(`no answer within ${timeoutMs} ms`)), timeoutMs)
      this.#waiting.set(id, { answer, fail })
      if (this.#ended) fail(new ContactLost('the call has ended'))
      else this.#call.write(requestOf(id, stream, expected, events))
    })
  }

  /** Makes way for another one; what is under way is answered yet. */
  retire(): void {
    this.#retired = true
    this.#onEnd()
    this.#endWhenDone()
  }

  #settle(response: BatchAppendResp): void {
    this.#waiting.get(response.getCorrelationId()?.getString() ?? '')?.answer(answerOf(response))
  }

  #endWhenDone(): void {
    if (this.#retired && this.#waiting.size === 0) this.#call.end()
  }

  #end(error: Error): void {
    this.#ended = true
    this.#onEnd()
    for (const { fail } of [...this.#waiting.values()]) fail(error)
  }
}

function answerOf(response: BatchAppendResp): BatchAnswer {
  const success = response.getSuccess()
  if (success) {
    const position = success.getPosition()
    return {
      kind: 'done',
      revision: Number(success.getCurrentRevision()),
      position: position ? Number(position.getCommitPosition()) : -1,
    }
  }
  const details = response.getError()?.getDetails()
  if (details?.getTypeName() !== WRONG_REVISION) return { kind: 'else' }
  const wrong = details.unpack(shared.WrongExpectedVersion.deserializeBinary, WRONG_REVISION)
  const known = wrong?.getCurrentStreamRevisionOptionCase() === CURRENT_REVISION
  return { kind: 'wrong revision', actual: known ? Number(wrong?.getCurrentStreamRevision()) : -1 }
}

const CURRENT_REVISION = shared.WrongExpectedVersion.CurrentStreamRevisionOptionCase.CURRENT_STREAM_REVISION

function requestOf(id: string, stream: string, expected: number, events: readonly JSONEventData[]): BatchAppendReq {
  const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(stream))
  const options = new streams.BatchAppendReq.Options().setStreamIdentifier(identifier)
  if (expected < 0) options.setNoStream(new shared.Empty())
  else options.setStreamPosition(String(expected))
  const request = new streams.BatchAppendReq()
  request.setOptions(options)
  request.setCorrelationId(new shared.UUID().setString(id))
  request.setProposedMessagesList(events.map(messageOf))
  return request.setIsFinal(true)
}

function messageOf({ id, type, contentType, data, metadata }: JSONEventData): BatchAppendReq.ProposedMessage {
  const message = new streams.BatchAppendReq.ProposedMessage()
  message.setId(new shared.UUID().setString(id))
  message.getMetadataMap().set('type', type).set('content-type', contentType)
  message.setData(Buffer.from(JSON.stringify(data)))
  if (metadata) message.setCustomMetadata(Buffer.from(JSON.stringify(metadata)))
  return message
}
