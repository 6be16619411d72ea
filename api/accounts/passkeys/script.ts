import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ApiContext, Next } from '../../http/context.ts'

/** Path of the script by which the pages of accounts use passkeys. They have no other. */
export const PASSKEY_SCRIPT = '/account/passkeys.js'

const HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'public, max-age=300',
}

/** Serves the script of passkeys. @param directory where the browser scripts were built @throws {Error} when they have not been */
export const passkeyScript = (directory: string) => {
  const text = readFileSync(path.join(directory, 'passkeys/main.js'))
  const ETag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"`
  return async function script(ctx: ApiContext, next: Next): Promise<unknown> {
    if (ctx.path !== PASSKEY_SCRIPT || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next()
    ctx.state.operation = 'passkey script'
    ctx.set({ ...HEADERS, ETag })
    ctx.status = 200
    if (ctx.fresh) ctx.status = 304
    else ctx.body = text
    return undefined
  }
}
