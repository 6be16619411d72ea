import type { IncomingMessage } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import type { ApiContext } from './context.ts'

/** How long the rest of a body that nobody reads may still come, in milliseconds: whoever sends it has read the answer by then. */
export const REST_MS = 2000
/** How much of it is taken; whoever sends more waits until the connection is cut. */
const REST_BYTES = 1024 * 1024

/** A body of no more than this is on its way already: it is let in, and the connection serves the next request. */
const SMALL_BYTES = 64 * 1024

/** Whether a body was announced. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Whether more of a body is to come than one waits for. What came together with the head is looked at first. */
export const isMuchToCome = async (request: IncomingMessage): Promise<boolean> => {
  if (request.complete || !hasBody(request)) return false
  await setImmediate()
  return !request.complete && !(Number(request.headers['content-length']) <= SMALL_BYTES)
}

/** Resolves when the rest of a body has come, or too much of it, for too long. */
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
 * Answers a request whose body is still on its way: all of the answer at once, and then the connection ends. Not at the same moment: a socket that is closed
 * with bytes unread is reset, and the client might lose the answer.
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
