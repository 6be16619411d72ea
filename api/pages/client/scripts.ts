import { createHash } from 'node:crypto'
import { CHECKOUT_SOURCE } from './checkout.ts'
import { CONFIRMATION_SOURCE } from './confirmation.ts'
import { COUNTDOWN_SOURCE } from './countdown.ts'

/** Script that the service serves to its pages. Its path has a digest of its content, so it can be kept for ever. */
export interface Script {
  readonly path: string
  readonly bytes: Buffer
}

const scriptOf = (name: string, source: string): Script => {
  const bytes = Buffer.from(source)
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16)
  return { path: `/.well-known/millrace/${name}-${digest}.js`, bytes }
}

export const CHECKOUT_SCRIPT = scriptOf('checkout', CHECKOUT_SOURCE)
export const CONFIRMATION_SCRIPT = scriptOf('confirmation', CONFIRMATION_SOURCE)
export const PAGE_SCRIPT = scriptOf('page', COUNTDOWN_SOURCE)

/** Scripts by their paths. */
export const SCRIPTS: ReadonlyMap<string, Script> = new Map(
  [CHECKOUT_SCRIPT, CONFIRMATION_SCRIPT, PAGE_SCRIPT].map((script) => [script.path, script]),
)
