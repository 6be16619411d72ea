import type { ApiContext } from '../http/context.ts'
import { type Body, ENCODINGS, type Encoding } from './body.ts'

const bare = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Returns whether one of the tags that a client has is that of a body, whatever their strength. */
const isKnown = (header: string | undefined, etag: string): boolean => {
  if (header === undefined) return false
  return header.trim() === '*' || header.split(',').some((tag) => bare(tag) === bare(etag))
}

const ACCEPTED = /(?:^|,)\s*([\w*-]+)\s*(?:;\s*q=([\d.]+))?/g

/** Returns the best encoding that a client takes; `undefined` for none. */
export const encodingFor = (header: string | undefined): Encoding | undefined => {
  if (!header) return undefined
  const weights = new Map<string, number>()
  for (const [, name, weight = '1'] of header.toLowerCase().matchAll(ACCEPTED)) weights.set(name!, Number(weight))
  return ENCODINGS.find((name) => (weights.get(name) ?? weights.get('*') ?? 0) > 0)
}

/** Answers with a body: whole, in an encoding that the client takes, or with 304 when the client has it. */
export const send = async (ctx: ApiContext, body: Body): Promise<void> => {
  ctx.set(body.headers)
  if (isKnown(ctx.headers['if-none-match'], body.etag)) {
    ctx.status = 304
    return
  }
  ctx.status = 200
  const encoding = body.isWorthCompressing ? encodingFor(ctx.headers['accept-encoding']) : undefined
  if (encoding) ctx.set('Content-Encoding', encoding)
  ctx.body = encoding ? await body.encoded(encoding) : body.bytes
  // The body must not decide the type.
  ctx.set('Content-Type', body.headers['Content-Type']!)
}
