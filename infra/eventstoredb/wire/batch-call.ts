import { randomUUID } from 'node:crypto'
import type { JSONEventData } from '@eventstore/db-client'
import type { ClientDuplexStream } from '@grpc/grpc-js'
import { ConnectionLost } from '../failures.ts'
import { type BatchAppendRequest, type BatchAppendResponse, WRONG_EXPECTED_VERSION } from './protocol.ts'

/** Answer of the server; `else`: an outcome that a separate call explains better. */
export type BatchAnswer =
  | { readonly kind: 'done'; readonly revision: number; readonly position: number }
  | { readonly kind: 'wrong revision'; readonly actual: number }
  | { readonly kind: 'else' }

interface Waiter {
  answer(answer: BatchAnswer): void
  fail(error: Error): void
}

type Call = ClientDuplexStream<BatchAppendRequest, BatchAppendResponse>

/**
 * Appends that share one call. Any number may be under way, and each is answered separately. An append takes a third of the time, and of the
 * processor time, of a separate call. The client has such a call too, but it keeps the appends of all its instances in one table: an error on one
 * call fails them all, a late answer then throws out of an event handler, and nothing limits the wait.
 */
export class BatchCall {
  readonly #call: Call
  readonly #waiting = new Map<string, Waiter>()
  readonly #onEnd: () => void
  #ended = false
  #retired = false

  /** @param onEnd called when nothing more can be sent over the call */
  constructor(call: Call, onEnd: () => void) {
    this.#call = call
    this.#onEnd = onEnd
    call.on('data', (response: BatchAppendResponse) => this.#settle(response))
    call.on('error', (error: Error) => this.#end(error))
    call.on('end', () => this.#end(new ConnectionLost('the server has ended the call')))
  }

  /**
   * @param expected revision of the last event of the stream, or -1
   * @throws {ConnectionLost} when no answer comes in time; the error with which the call ended, if it did
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
      const answer = (result: BatchAnswer) => {
        forget()
        resolve(result)
      }
      const timer = setTimeout(() => fail(new ConnectionLost(`no answer within ${timeoutMs} ms`)), timeoutMs)
      this.#waiting.set(id, { answer, fail })
      if (this.#ended) fail(new ConnectionLost('the call has ended'))
      else this.#call.write(requestOf(id, stream, expected, events))
    })
  }

  /** Makes way for another call. Appends under way are still answered. */
  retire(): void {
    this.#retired = true
    this.#onEnd()
    this.#endWhenDone()
  }

  #settle(response: BatchAppendResponse): void {
    this.#waiting.get(response.id?.string ?? '')?.answer(answerOf(response))
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

function answerOf({ success, error }: BatchAppendResponse): BatchAnswer {
  if (success) {
    const position = success.position?.commit.toNumber() ?? -1
    return { kind: 'done', revision: success.revision.toNumber(), position }
  }
  const details = error?.details
  if (!details?.typeUrl.endsWith(`/${WRONG_EXPECTED_VERSION.name}`)) return { kind: 'else' }
  const { current, revision } = WRONG_EXPECTED_VERSION.read(details.value)
  return { kind: 'wrong revision', actual: current === 'revision' ? revision.toNumber() : -1 }
}

function requestOf(id: string, stream: string, expected: number, events: readonly JSONEventData[]): BatchAppendRequest {
  const at = expected < 0 ? { noStream: {} } : { revision: expected }
  return {
    id: { string: id },
    options: { stream: { name: Buffer.from(stream) }, ...at },
    proposed: events.map(messageOf),
    isFinal: true,
  }
}

function messageOf({ id, type, contentType, data, metadata }: JSONEventData): BatchAppendRequest['proposed'][number] {
  return {
    id: { string: id },
    metadata: { type, 'content-type': contentType },
    data: Buffer.from(JSON.stringify(data)),
    ...(metadata && { customMetadata: Buffer.from(JSON.stringify(metadata)) }),
  }
}
