import type { Credentials, Factor } from '../../../domain/account/public.ts'
import { countedAs } from '../../http/failed-attempts.ts'
import { knownAs } from '../known-browser.ts'
import type { AccountRequest } from '../request.ts'
import { stepOf, typedCode } from './code.ts'
import { recoveryDigest } from './recovery-codes.ts'

/** Wrong codes of an account, from all addresses, after which browsers in which it has not signed in before have to wait. */
const MOST_WRONG = 20

/** Code as somebody typed it. */
export interface Typed {
  /** `code`: of an app; `recovery`: one of those that were kept; `either`: as its form says. */
  readonly kind: 'code' | 'recovery' | 'either'
  readonly text: string | null
}

/** Attempt to show a second factor. It counts as a failure until it is known to be none. */
export interface Tried {
  /** `undefined`: what was typed is wrong. */
  readonly factor: Factor | undefined
  /** Takes the count back. A right password does not. */
  readonly succeed: () => void
}

const factorOf = ({ service }: AccountRequest, held: Credentials, { kind, text }: Typed): Factor | undefined => {
  const code = kind === 'recovery' ? undefined : typedCode(text)
  if (code === undefined)
    return kind === 'code'
      ? undefined
      : { by: 'recovery_code', digest: recoveryDigest(service.secrets, held.id, text ?? '') }
  const step = held.code_app
    ? stepOf(service.secrets, { nonce: held.code_app.nonce, code, at: service.now() })
    : undefined
  return step === undefined ? undefined : { by: 'code', step }
}

/** Counts an attempt by a code, slows it down, and looks what it is. @throws {Refusal} tooMany */
export const tryFactor = async (request: AccountRequest, held: Credentials, typed: Typed): Promise<Tried> => {
  const { ctx, service, guards } = request
  const succeed = await guards.slowing.begin({
    source: countedAs(ctx.ip),
    account: `codes of ${held.id}`,
    known: knownAs(ctx, service, held.id),
    // Whoever guesses codes knows the password. Six digits last for no longer.
    mostOfAccount: MOST_WRONG,
  })
  return { factor: factorOf(request, held, typed), succeed }
}
