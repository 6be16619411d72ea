import type { ApiContext } from '../http/context.ts'
import { remembering } from '../http/remembering.ts'
import { sendPrepared } from '../http/send-text.ts'
import { type Body, ENCODINGS, type Encoding } from './body.ts'

const bare = (tag: string): string => tag.trim().replace(/^W\//, '')

/** Returns whether one of the tags that a client has is that of a body, whatever their strength. */
const isKnown = (header: string | undefined, etag: string): boolean => {
  if (header === undefined) return false
  if (header === etag) return true
  return header.trim() === '*' || header.split(',').some((tag) => bare(tag) === bare(etag))
}

const ACCEPTED = /(?:^|,)\s*([\w*-]+)\s*(?:;\s*q=([\d.]+))?/g

const readEncoding = (header: string): Encoding | undefined => {
  const weights = new Map<string, number>()
  for (const [, name, weight = '1'] of header.toLowerCase().matchAll(ACCEPTED)) weights.set(name!, Number(weight))
  return ENCODINGS.find((name) => (weights.get(name) ?? weights.get('*') ?? 0) > 0)
}

/** What browsers accept is shorter. */
const bestEncoding = remembering(readEncoding, { most: 500, longest: 100 })

/** Returns the best encoding that a client takes; `undefined` for none. */
export const encodingFor = (header: string | undefined): Encoding | undefined =>
  header ? bestEncoding(header) : undefined

/** Answers with a body: whole, in an encoding that the client takes, or with 304 when the client has it. */
export const send = async (ctx: ApiContext, body: Body): Promise<void> => {
  const { headers } = ctx.req
  if (isKnown(headers['if-none-match'], body.etag)) return sendPrepared(ctx, 304, body.unchanged)
  const encoding = body.isWorthCompressing ? encodingFor(headers['accept-encoding']) : undefined
  const representation = encoding ? await body.encoded(encoding) : body.whole
  return sendPrepared(ctx, 200, representation.headers, representation.bytes)
}
