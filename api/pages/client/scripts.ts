import { createHash } from 'node:crypto'
import { Body } from '../body.ts'
import { CHECKOUT_SOURCE } from './checkout.ts'
import { COUNTDOWN_SOURCE } from './countdown.ts'

/** Script that the service serves to its pages. Its path has a digest of its content, so it can be kept for ever. */
export interface Script {
  readonly path: string
  readonly body: Body
}

const HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=31536000, immutable',
}

/** Returns a script without what only its readers here need: lines of comments, and the spaces before others. No text in it goes over lines. */
const bare = (source: string): string => source.replace(/^ *(?:\/\*\*.*\*\/\n)?/gm, '')

const scriptOf = (name: string, readable: string): Script => {
  const source = bare(readable)
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 16)
  return { path: `/.well-known/millrace/${name}-${digest}.js`, body: new Body(source, HEADERS) }
}

export const CHECKOUT_SCRIPT = scriptOf('checkout', CHECKOUT_SOURCE)
export const PAGE_SCRIPT = scriptOf('page', COUNTDOWN_SOURCE)

/** Scripts by their paths. */
export const SCRIPTS: ReadonlyMap<string, Script> = new Map(
  [CHECKOUT_SCRIPT, PAGE_SCRIPT].map((script) => [script.path, script]),
)
