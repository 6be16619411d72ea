import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { timeSlices } from '../../domain/kernel/values/turns.ts'
import type { ApiContext } from './context.ts'

/** Given in full, because Koa would look up the type by its extension each time. */
const JSON_TYPE = 'application/json; charset=utf-8'

/** Sets a header among those that the middleware has collected, names and values in turn. */
export const setAmong = (all: string[], name: string, value: string): void => {
  const at = all.indexOf(name)
  if (at < 0) all.push(name, value)
  else all[at + 1] = value
}

/**
 * Sends an answer from memory past Koa, with the id of the request and headers that were prepared once.
 *
 * @param headers all others: names and values in turn
 */
export const sendPrepared = (ctx: ApiContext, status: number, headers: readonly string[], bytes?: Buffer): void => {
  ctx.respond = false
  ctx.res.writeHead(status, ['X-Request-Id', ctx.state.requestId, ...headers])
  ctx.res.end(bytes)
}

/** Yields parts in slices. A reader that is fast enough to take each at once would otherwise have the event loop until it has all. */
export const inTurns = async function* (parts: Iterable<Buffer>): AsyncGenerator<Buffer> {
  const slice = timeSlices()
  for (const part of parts) {
    yield part
    await slice()
  }
}

/**
 * Sends JSON past Koa, which would inspect it again and set each header separately.
 *
 * @param headers those that the middleware has not collected
 */
export const sendText = (
  ctx: ApiContext,
  status: number,
  text: string | Buffer | readonly Buffer[],
  headers: Readonly<Record<string, string>> = {},
): void => {
  ctx.respond = false
  const all = ctx.state.headers
  for (const name in headers) all.push(name, headers[name]!)
  const isWhole = typeof text === 'string' || Buffer.isBuffer(text)
  const bytes = isWhole ? Buffer.byteLength(text) : text.reduce((sum, { length }) => sum + length, 0)
  all.push('Content-Type', JSON_TYPE, 'Content-Length', String(bytes))
  ctx.res.writeHead(status, all)
  if (isWhole) ctx.res.end(text)
  // A reader that leaves ends it.
  else pipeline(Readable.from(inTurns(text)), ctx.res).catch(() => undefined)
}
