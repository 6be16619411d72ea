import type { ActContext, Events } from '../../kernel/decide/rules.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { credential } from './model.ts'
import type { NewPasskey, Passkey, PasskeyUse } from './second-factor.ts'

const { event } = credential

type Happens = Events<typeof credential>
type Of<Input = unknown> = ActContext<typeof credential, Input>
type Before = Of['before']

/** Passkeys of a user at once. */
const MOST_PASSKEYS = 20

/**
 * What somebody showed besides a password or a link: the time step of a code, the digest of a recovery code, or the signature of a passkey, which
 * stands for both factors.
 */
export type Factor =
  | { readonly by: 'code'; readonly step: number }
  | { readonly by: 'recovery_code'; readonly digest: string }
  | ({ readonly by: 'passkey' } & PasskeyUse)

const wrong = (): Refusal => refuse.conflict('The code is not right', 'code', 'invalid')
const spent = (): Refusal => refuse.conflict('The code was used already', 'code', 'taken')
const noPasskey = (): Refusal => refuse.notFound('No such passkey')

const passkeyIn = ({ passkeys }: Before, id: string): Passkey | undefined => passkeys.find((one) => one.id === id)

/** Returns what a factor uses up, or why it does not count. */
const use = (before: Before, factor: Factor): Happens | Refusal => {
  const { code_app, recovery_codes } = before
  if (factor.by === 'passkey') {
    const { id, counter, is_synced } = factor
    return passkeyIn(before, id) ? [event.PasskeyUsed({ id, counter, is_synced })] : noPasskey()
  }
  if (!code_app) return wrong()
  if (factor.by === 'code') {
    const { step } = factor
    return step > code_app.step ? [event.OneTimeCodeUsed({ step })] : spent()
  }
  const { digest } = factor
  return recovery_codes.includes(digest) ? [event.RecoveryCodeUsed({ digest })] : wrong()
}

/** Returns what the factor of a sign-in uses up; a refusal where codes are asked for and there is none. */
export const spendFactor = (before: Before, factor: Factor | null): Happens | Refusal => {
  if (factor) return use(before, factor)
  return before.code_app ? refuse.conflict('A code is needed', 'code', 'blank') : []
}

/** Proof that whoever turns codes off or replaces recovery codes still has one. */
interface Proved {
  readonly factor: Factor
}

const proved = (before: Before, factor: Factor, happens: Happens): Happens | Refusal => {
  if (!before.code_app) return refuse.conflict('Codes are not asked for', 'code', 'invalid')
  const used = use(before, factor)
  return used instanceof Refusal ? used : [...used, ...happens]
}

interface Enrolment {
  /** Session of the browser in which it is done, and its digest from now on. */
  readonly former_digest: string
  readonly digest: string
  readonly nonce: string
  readonly step: number
  readonly recovery_codes: readonly string[]
}

/**
 * Asks for codes from now on. The code that confirms an app is used by that. Browsers that signed in without one are signed out, but for that in which
 * it is done: its session gets another id.
 */
const enrollCodeApp = ({ before, wanted }: Of<Enrolment>): Happens | Refusal => {
  const { nonce, step, recovery_codes, former_digest, digest } = wanted
  if (before.code_app) return refuse.conflict('Codes are asked for already', 'code', 'taken')
  const session = before.sessions.find((one) => one.digest === former_digest)
  if (!session) return refuse.conflict('The session has ended', 'session', 'expired')
  const { began_at, expires_at } = session
  return [
    event.CodeAppEnrolled({ nonce, step, recovery_codes }),
    event.UserSessionRenewed({ former_digest, digest, began_at, expires_at, second_factor: true }),
    event.UserSignedOutElsewhere({ digest }),
  ]
}

const removeCodeApp = ({ before, wanted: { factor } }: Of<Proved>): Happens | Refusal =>
  proved(before, factor, [event.CodeAppRemoved()])

/** Asks for codes no more, for somebody who has lost them all. The operator alone does it. */
const resetCodeApp = ({ before }: Of): Happens => (before.code_app ? [event.CodeAppRemoved()] : [])

type NewCodes = Proved & { readonly recovery_codes: readonly string[] }

const replaceRecoveryCodes = ({ before, wanted: { factor, recovery_codes } }: Of<NewCodes>): Happens | Refusal =>
  proved(before, factor, [event.RecoveryCodesReplaced({ recovery_codes })])

const addPasskey = ({ before, wanted: { passkey } }: Of<{ readonly passkey: NewPasskey }>): Happens | Refusal => {
  if (passkeyIn(before, passkey.id)) return refuse.conflict('The passkey is there already', 'passkey', 'taken')
  if (before.passkeys.length >= MOST_PASSKEYS)
    return refuse.conflict(`There are ${MOST_PASSKEYS} passkeys already`, 'passkey', 'too_many')
  return [event.PasskeyAdded(passkey)]
}

type Named = Pick<Passkey, 'id'> & { readonly name: string }

const namePasskey = ({ before, wanted: { id, name } }: Of<Named>): Happens | Refusal => {
  const passkey = passkeyIn(before, id)
  if (!passkey) return noPasskey()
  return passkey.name === name ? [] : [event.PasskeyNamed({ id, name })]
}

const removePasskey = ({ before, wanted: { id } }: Of<Pick<Passkey, 'id'>>): Happens =>
  passkeyIn(before, id) ? [event.PasskeyRemoved({ id })] : []

/** Acts of credentials that the second factor adds. */
export const secondFactorActs = {
  enrollCodeApp,
  removeCodeApp,
  resetCodeApp,
  replaceRecoveryCodes,
  addPasskey,
  namePasskey,
  removePasskey,
}
