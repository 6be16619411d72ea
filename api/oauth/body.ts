import type { IncomingMessage } from 'node:http'
import { checkUncoded } from '../http/codings.ts'
import type { ApiContext } from '../http/context.ts'
import { isUtf8Escaped } from '../http/utf8.ts'

/** Fields of a request, as they were sent. A field that was sent more than once has all its values. */
export type Fields = Readonly<Record<string, string | readonly string[]>>

const MOST_BYTES = 64 * 1024

/** A request that is not in order. */
export class BadRequest extends Error {}

const bytesOf = async (request: IncomingMessage): Promise<Buffer> => {
  checkUncoded(request)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    length += chunk.length
    if (length > MOST_BYTES) {
      request.resume()
      throw new BadRequest(`a body may have at most ${MOST_BYTES} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const text = (bytes: Buffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new BadRequest('the body must be UTF-8')
  }
}

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    throw new BadRequest('the body must be valid JSON')
  }
}

/** Reads a JSON object. @throws {BadRequest} */
export const readObject = async (ctx: ApiContext): Promise<Readonly<Record<string, unknown>>> => {
  const value = parsed(text(await bytesOf(ctx.req)))
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new BadRequest('the body must be a JSON object')
  return { ...value }
}

const fieldsOfObject = (object: Readonly<Record<string, unknown>>): Fields =>
  Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => {
      if (value === null) return []
      if (typeof value === 'string' || typeof value === 'number') return [[name, String(value)]]
      throw new BadRequest(`${name} must be a text`)
    }),
  )

/** Returns the fields of a form, or of a query. @throws {BadRequest} where what is escaped in it is not UTF-8 */
export const fieldsOfForm = (form: string): Fields => {
  if (!isUtf8Escaped(form)) throw new BadRequest('a form or a query must be in UTF-8')
  const sent = new URLSearchParams(form)
  return Object.fromEntries(
    [...new Set(sent.keys())].map((name) => {
      const [first = '', ...others] = sent.getAll(name)
      return [name, others.length > 0 ? [first, ...others] : first]
    }),
  )
}

/** Reads the fields of a JSON object or a form. @throws {BadRequest} */
export const readFields = async (ctx: ApiContext): Promise<Fields> => {
  if (ctx.is('application/json')) return fieldsOfObject(await readObject(ctx))
  if (ctx.is('application/x-www-form-urlencoded')) return fieldsOfForm(text(await bytesOf(ctx.req)))
  throw new BadRequest('the body must be a form or JSON')
}

/** Writes fields as a form. */
export const asForm = (fields: Fields): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one])),
  ).toString()

/** Puts a form in the place of a body that has been read, for a reader that knows forms alone. */
export const replaceBody = ({ req }: ApiContext, form: string): void => {
  const bytes = Buffer.from(form)
  delete req.headers['transfer-encoding']
  Object.assign(req.headers, {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': String(bytes.length),
  })
  Object.defineProperties(req, { readable: { value: true }, iterator: { value: () => [bytes] } })
}
