import { randomBytes } from 'node:crypto'

const SECRET_BYTES = 32
const COOKIE = /^([1-9]\d{0,15})\.([\w-]{43})$/

/** Secret by which a browser is signed in, with the id of what holds its digest. */
export interface SessionSecret {
  readonly id: number
  readonly secret: string
}

/** Makes the secret of a new session, with the value of its cookie. */
export const newSessionSecret = (id: number): SessionSecret & { readonly cookie: string } => {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  return { id, secret, cookie: `${id}.${secret}` }
}

/** Returns what the value of the cookie of a session holds; `undefined` for any other text. */
export const sessionSecretIn = (value: string): SessionSecret | undefined => {
  const [, id, secret] = COOKIE.exec(value) ?? []
  return id === undefined || secret === undefined ? undefined : { id: Number(id), secret }
}
