import type { IncomingMessage } from 'node:http'
import { refuse } from '../../domain/kernel/values/refusal.ts'

/** Codings of bodies by all of their names (RFC 9110, 8.4.1), which are compared without case. */
const CODINGS: Readonly<Record<string, string>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
  identity: 'identity',
}

const namedIn = (header: string | undefined): string => header?.trim().toLowerCase() || 'identity'

/** Writes the coding of a body by its usual name, for a reader that knows only that. @throws {Refusal} unsupported, for one that is not read */
export const checkCoding = ({ headers }: IncomingMessage): void => {
  if (headers['content-encoding'] === undefined) return
  const coding = CODINGS[namedIn(headers['content-encoding'])]
  if (coding === undefined)
    throw refuse.unsupported('a body may be in gzip, deflate or br, and Content-Encoding names another coding')
  if (coding === 'identity') delete headers['content-encoding']
  else headers['content-encoding'] = coding
}

/** Checks that a body is as it is. @throws {Refusal} unsupported, for one in any coding */
export const checkUncoded = ({ headers }: IncomingMessage): void => {
  if (namedIn(headers['content-encoding']) !== 'identity')
    throw refuse.unsupported('a body must be in no coding here, and Content-Encoding names one')
}
