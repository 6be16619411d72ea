import { createHash, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { forceToDisk } from '../force-to-disk.ts'

const FILE = 'secret'
const BYTES = 32
const SHORTEST_TEXT = 32

/**
 * Returns the 32-byte master secret of a data directory: the configured one, or one that is generated once and kept in the directory (readable for
 * its owner only).
 * @param configured 32 bytes as base64 or hex, or any text of at least 32 characters
 * @throws {Error} when the configured one is too short, or the kept one cannot be read
 */
export function loadSecret(directory: string, configured?: string): Buffer {
  const path = join(directory, FILE)
  if (configured === undefined && !existsSync(path)) generate(directory, path)
  return readSecret(directory, configured)!
}

/** Returns the master secret as `loadSecret` does, but generates none. @throws {Error} as `loadSecret` */
export function readSecret(directory: string, configured?: string): Buffer | undefined {
  if (configured !== undefined) return fromText(configured.trim())
  const path = join(directory, FILE)
  if (!existsSync(path)) return undefined
  const secret = decoded(readFileSync(path, 'utf8').trim())
  if (secret) return secret
  throw new Error(
    `${path} does not hold a master secret any more. Restore it from a backup: without it no personal data can be read.`,
  )
}

function fromText(text: string): Buffer {
  const secret = decoded(text)
  if (secret) return secret
  if (text.length >= SHORTEST_TEXT) return createHash('sha256').update(text, 'utf8').digest()
  throw new Error(
    'The configured master secret is too short. Give 32 bytes as base64 or hex (openssl rand -base64 32), ' +
      `or a text of at least ${SHORTEST_TEXT} characters.`,
  )
}

function decoded(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  const bytes = /^[\w+/-]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined
  return bytes?.length === BYTES ? bytes : undefined
}

/** Generates a secret, which is on disk before anything can be sealed under it, and never half-written. */
function generate(directory: string, path: string): void {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${randomBytes(BYTES).toString('base64')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
  } finally {
    rmSync(draft)
  }
  forceToDisk(directory)
}
