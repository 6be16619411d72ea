import { Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import type { Secrets } from '../../../domain/kernel/ports/secrets.ts'
import { Html } from '../../html/html.ts'

/** What apps take without being told: six digits of SHA-1 every 30 seconds, from a secret of 160 bits. */
const SECRET_BYTES = 20
const DRIFT_STEPS = 1
const CODE = /^[0-9]{6}$/

/** Returns the secret that an app shares with the installation. */
const secretOf = (secrets: Pick<Secrets, 'derive'>, nonce: string): Secret =>
  new Secret({ buffer: secrets.derive('totp', nonce).slice(0, SECRET_BYTES).buffer })

/** Returns a code as it was typed, without its spaces; `undefined` unless it is six ASCII digits. */
export const typedCode = (typed: string | null): string | undefined => {
  const digits = (typed ?? '').replaceAll(/\s/g, '')
  return CODE.test(digits) ? digits : undefined
}

/**
 * Returns the time step that a code is of. A clock may be one step ahead or behind.
 *
 * @param at milliseconds since 1970
 * @returns `undefined` for a wrong code
 */
export const stepOf = (
  secrets: Pick<Secrets, 'derive'>,
  { nonce, code, at }: { readonly nonce: string; readonly code: string; readonly at: number },
): number | undefined => {
  const secret = secretOf(secrets, nonce)
  const drift = TOTP.validate({ token: code, secret, timestamp: at, window: DRIFT_STEPS })
  return drift === null ? undefined : TOTP.counter({ timestamp: at }) + drift
}

/** What a person gives to an app. */
export interface Enrolment {
  /** Address that the QR code holds. */
  readonly uri: string
  /** The secret for typing, in groups. */
  readonly typed: string
  readonly qrCode: Html
}

/** Returns what an app is enrolled by. */
export const enrolmentOf = (
  secrets: Pick<Secrets, 'derive'>,
  { nonce, issuer, label }: { readonly nonce: string; readonly issuer: string; readonly label: string },
): Enrolment => {
  const secret = secretOf(secrets, nonce)
  const uri = new TOTP({ issuer, label, secret }).toString()
  // Made of numbers alone: the text is in the pattern.
  const qrCode = new Html(renderSVG(uri, { border: 4 }))
  return { uri, typed: secret.base32.replaceAll(/.{4}(?=.)/g, '$& '), qrCode }
}
