import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { ApiContext } from './context.ts'

/** Milliseconds for which the rest of an unread body may still come. The sender has read the answer by then. */
export const REST_MS = 2000
/** Highest number of bytes of the rest that are received. A client that sends more waits until the connection is cut. */
const REST_BYTES = 1024 * 1024

/** Bodies up to this size are on their way already. They are received, and the connection serves the next request. */
const SMALL_BYTES = 64 * 1024

/** Whether a body was announced. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Whether more of a body is to come than is worth waiting for. Bytes that came together with the head are processed first. */
export const isMuchToCome = async (request: IncomingMessage): Promise<boolean> => {
  if (request.complete || !hasBody(request)) return false
  await setImmediate()
  return !request.complete && !(Number(request.headers['content-length']) <= SMALL_BYTES)
}

/** Resolves when the rest of a body has come, or after `REST_MS`. */
const restOf = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let bytes = 0
    const done = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, REST_MS)
    for (const end of ['end', 'close', 'error']) request.once(end, done)
    request.on('data', ({ length }: Buffer) => {
      bytes += length
      if (bytes > REST_BYTES) request.pause()
    })
    if (request.destroyed) done()
    else request.resume()
  })

/**
 * Answers a request whose body is still on its way. Writes the whole answer at once and ends the connection later: a socket that is closed with
 * unread bytes is reset, and the client might lose the answer.
 */
export const answerUnread = (ctx: ApiContext): void => {
  const text = JSON.stringify(ctx.body)
  ctx.respond = false
  ctx.set({
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(text)),
    Connection: 'close',
  })
  ctx.res.write(text)
  void restOf(ctx.req).then(() => ctx.res.end())
}
