import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ApiContext, Next } from '../http/context.ts'

/** A file of the browser SDK, ready to be sent. */
interface Script {
  readonly hash: string
  readonly bytes: Readonly<Record<Encoding, Buffer>>
}

const ENCODINGS = ['br', 'gzip', 'identity'] as const
type Encoding = (typeof ENCODINGS)[number]

const HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  // Pages of every origin load it, also those that let in only what allows it.
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  Vary: 'Accept-Encoding',
}

/** Five minutes after an update every page has it. */
const LOADER = 'public, max-age=300'
const IMMUTABLE = 'public, max-age=31536000, immutable'
const CHUNK = /^\/sdk\/([a-z]+)-[0-9a-f]{8}\.js$/

const scriptIn = (file: string): Script => {
  const identity = readFileSync(file)
  return {
    hash: createHash('sha256').update(identity).digest('base64url').slice(0, 16),
    bytes: { identity, gzip: readFileSync(`${file}.gz`), br: readFileSync(`${file}.br`) },
  }
}

/** Reads what the build of the SDK has made. @throws {Error} when it has not been built */
const scriptsIn = (directory: string) => {
  const { chunks } = JSON.parse(readFileSync(path.join(directory, 'manifest.json'), 'utf8')) as {
    readonly chunks: Readonly<Record<string, string>>
  }
  const read = (name: string) => scriptIn(path.join(directory, name))
  const byName = new Map(Object.entries(chunks).map(([name, file]) => [name, read(file)]))
  return {
    loader: read('sdk.js'),
    byPath: new Map(Object.entries(chunks).map(([name, file]) => [`/sdk/${file}`, byName.get(name)])),
    byName,
  }
}

/**
 * Serves the browser SDK from where it was built: `/sdk.js`, and what that loads. A browser may have kept an `sdk.js` that names a file of an
 * earlier version: it gets the present one, and only for as long as it may keep `sdk.js` itself.
 */
export const scripts = (directory: string) => {
  const { loader, byPath, byName } = scriptsIn(directory)
  const find = (at: string): readonly [Script, string] | undefined => {
    if (at === '/sdk.js') return [loader, LOADER]
    const present = byPath.get(at)
    if (present) return [present, IMMUTABLE]
    const successor = byName.get(CHUNK.exec(at)?.[1] ?? '')
    return successor && [successor, LOADER]
  }
  return async function script(ctx: ApiContext, next: Next): Promise<unknown> {
    const found = ctx.method === 'GET' || ctx.method === 'HEAD' ? find(ctx.path) : undefined
    if (!found) return next()
    const [{ hash, bytes }, cacheControl] = found
    ctx.state.operation = 'sdk script'
    const encoding = ctx.acceptsEncodings([...ENCODINGS]) || 'identity'
    ctx.set({ ...HEADERS, 'Cache-Control': cacheControl, ETag: `"${hash}-${encoding}"` })
    if (encoding !== 'identity') ctx.set('Content-Encoding', encoding)
    ctx.status = 200
    if (ctx.fresh) ctx.status = 304
    else ctx.body = bytes[encoding as Encoding]
    return undefined
  }
}
