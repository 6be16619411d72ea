import { isJsonObject, type Json } from '../../../domain/kernel/values/event.ts'
import type { ApiContext } from '../../http/context.ts'

const JSON_TYPE = 'application/json'
const STREAM = 'text/event-stream'

/** Accepts everything that the protocol's handler answers with. */
export const EITHER = `${JSON_TYPE}, ${STREAM}`

/** In which form a client takes its answers; `undefined`: in none that there is. */
export type Accepted = 'either' | 'json' | 'stream' | undefined

/** Returns in which form a client takes its answers. A client that does not name streams of events may not be able to read one. */
export const acceptedBy = (ctx: ApiContext): Accepted => {
  const header = ctx.req.headers.accept ?? '*/*'
  const isJson = ctx.accepts(JSON_TYPE) !== false
  const isStream = /\btext\/(?:event-stream|\*)/i.test(header) && ctx.accepts(STREAM) !== false
  if (isJson && isStream) return 'either'
  if (isJson) return 'json'
  return isStream ? 'stream' : undefined
}

/** Returns the answers in a stream of events, without what it tells meanwhile. */
const answersIn = (stream: string): readonly Json[] =>
  stream.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? line.slice(5) : []))
    if (data.length === 0) return []
    // What the protocol's handler writes is JSON.
    const message = JSON.parse(data.join('\n')) as Json
    return isJsonObject(message) && message.method === undefined ? [message] : []
  })

const isOf = (response: Response, type: string): boolean =>
  (response.headers.get('content-type') ?? '').startsWith(type)

/** Returns an answer in a form that the client takes. @param isBatch whether several messages were sent at once */
export const inForm = async (response: Response, accepted: Accepted, isBatch: boolean): Promise<Response> => {
  if (accepted === 'json' && isOf(response, STREAM)) {
    const answers = answersIn(await response.text())
    return Response.json(isBatch ? answers : (answers[0] ?? null), { status: response.status })
  }
  if (accepted !== 'stream' || !response.ok || !isOf(response, JSON_TYPE)) return response
  const event = `event: message\ndata: ${JSON.stringify(await response.json())}\n\n`
  return new Response(event, { status: response.status, headers: { 'content-type': STREAM } })
}
