import { BACKWARDS, END, FORWARDS, type RecordedEvent as Raw, START } from '@eventstore/db-client'
import type { ReadStreamOptions } from '../../domain/kernel/ports/event-log.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { type Caller, type Client, RetryState } from './caller.ts'
import { isStreamNotFound } from './failures.ts'
import { recorded } from './wire/codec.ts'
import { drained } from './wire/pull.ts'

/** Yields the events of the domain in one stream. */
export async function* readStream(
  caller: Caller,
  stream: string,
  options: ReadStreamOptions,
): AsyncGenerator<RecordedEvent> {
  for await (const raw of readRaw(caller, stream, options)) {
    const event = recorded(raw)
    if (event) yield event
  }
}

/** Yields all events of a stream, no matter who wrote them. Resumes where it was when the connection is lost. */
export async function* readRaw(
  caller: Caller,
  stream: string,
  { from, backwards = false, limit = Number.POSITIVE_INFINITY }: ReadStreamOptions,
): AsyncGenerator<Raw> {
  let next = from
  let left = limit
  const trouble = new RetryState(caller)
  while (left > 0 && (next === undefined || next >= 0)) {
    const { client } = caller.connection
    try {
      for await (const raw of rawEvents(caller, client, stream, { from: next, backwards, limit: left })) {
        trouble.over()
        next = Number(raw.revision) + (backwards ? -1 : 1)
        left--
        yield raw
      }
      return
    } catch (error) {
      const givenUp = await trouble.endure(error, client)
      if (givenUp) throw givenUp
    }
  }
}

/** Returns the last event of a stream, no matter who wrote it. */
export function lastOf(caller: Caller, stream: string): Promise<Raw | undefined> {
  return caller.ask((client) => only(rawEvents(caller, client, stream, { backwards: true, limit: 1 })))
}

/** Returns the event at a revision of a stream, no matter who wrote it. */
export function eventAt(caller: Caller, stream: string, revision: number): Promise<Raw | undefined> {
  return caller.ask((client) => only(rawEvents(caller, client, stream, { from: revision, limit: 1 })))
}

/** Returns the revision of the last event of a stream, or -1. */
export async function lastRevision(caller: Caller, stream: string): Promise<number> {
  return Number((await lastOf(caller, stream))?.revision ?? -1)
}

interface RawOptions {
  readonly from?: number | undefined
  readonly backwards?: boolean
  readonly limit: number
}

async function* rawEvents(
  caller: Caller,
  client: Client,
  stream: string,
  { from, backwards = false, limit }: RawOptions,
): AsyncGenerator<Raw> {
  const read = client.readStream(stream, {
    direction: backwards ? BACKWARDS : FORWARDS,
    fromRevision: from !== undefined ? BigInt(from) : backwards ? END : START,
    maxCount: Math.min(limit, Number.MAX_SAFE_INTEGER),
    requiresLeader: true,
  })
  try {
    for await (const { event } of drained(read, caller.options.attemptMs)) if (event) yield event
  } catch (error) {
    if (!isStreamNotFound(error)) throw error
  }
}

/** Returns the only item. Reads to the end, so that no open read is left. */
async function only<T>(source: AsyncIterable<T>): Promise<T | undefined> {
  let found: T | undefined
  for await (const each of source) found = each
  return found
}
