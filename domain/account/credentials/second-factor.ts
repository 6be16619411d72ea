import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { data, integer, list, text } from '../../kernel/model/fields.ts'
import type { FoldContext } from '../../kernel/model/model.ts'

/** App that shows one-time codes (TOTP). Its secret is derived from the nonce and stored nowhere. */
export type CodeApp = {
  readonly nonce: string
  /** Time step of the last code that was used: neither it nor an earlier one serves again. */
  readonly step: number
  readonly since: string
}

/** Public half of a passkey, and what is known of its use. */
export type Passkey = {
  /** Credential id, as the authenticator names it; base64url. */
  readonly id: string
  /** COSE key; base64url. */
  readonly public_key: string
  /** Ways in which the browser may reach the authenticator. */
  readonly transports: readonly string[]
  /** Host that browsers use it for. It came later, so older ones have none. */
  readonly host?: string
  /** What its owner calls it. */
  readonly name: string
  /** Number of signatures that it reported last. Many report 0 always. */
  readonly counter: number
  /** Whether it is, or may be, on several devices. */
  readonly is_synced: boolean
  readonly added_at: string
  readonly used_at: string | null
  /** When its counter last went back. A copied key does so, and a synced one may. */
  readonly went_back_at: string | null
}

/** New passkey, as the event of its addition has it. */
export type NewPasskey = Omit<Passkey, 'added_at' | 'used_at' | 'went_back_at'>

/** What an authenticator reports when it signs. */
export type PasskeyUse = Pick<Passkey, 'id' | 'counter' | 'is_synced'>

type Held =
  | {
      readonly code_app: CodeApp | null
      readonly code_app_count: number
      readonly recovery_codes: readonly string[]
      readonly passkeys: readonly Passkey[]
    }
  | undefined

const passkeysOf = (before: Held): readonly Passkey[] => before?.passkeys ?? []

const enrolled = (
  before: Held,
  { nonce, step, recovery_codes }: Pick<CodeApp, 'nonce' | 'step'> & { readonly recovery_codes: readonly string[] },
  { at }: FoldContext,
) => ({
  code_app: { nonce, step, since: at },
  code_app_count: (before?.code_app_count ?? 0) + 1,
  recovery_codes,
})

const codeUsed = (before: Held, { step }: Pick<CodeApp, 'step'>) => ({
  code_app: before?.code_app ? { ...before.code_app, step } : null,
})

const recoveryCodeUsed = (before: Held, { digest }: { readonly digest: string }) => ({
  recovery_codes: (before?.recovery_codes ?? []).filter((one) => one !== digest),
})

const passkeyAdded = (before: Held, added: NewPasskey, { at }: FoldContext) => ({
  passkeys: [...passkeysOf(before), { ...added, added_at: at, used_at: null, went_back_at: null }],
})

const passkeyNamed = (before: Held, { id, name }: Pick<Passkey, 'id' | 'name'>) => ({
  passkeys: passkeysOf(before).map((one) => (one.id === id ? { ...one, name } : one)),
})

const passkeyUsed = (before: Held, { id, counter, is_synced }: PasskeyUse, { at }: FoldContext) => ({
  passkeys: passkeysOf(before).map((one) => {
    if (one.id !== id) return one
    const went_back_at = counter < one.counter ? at : one.went_back_at
    return { ...one, counter, is_synced, used_at: at, went_back_at }
  }),
})

const passkeyRemoved = (before: Held, { id }: Pick<Passkey, 'id'>) => ({
  passkeys: passkeysOf(before).filter((one) => one.id !== id),
})

/** Attributes of credentials that the second factor adds. */
export const secondFactorAttributes = {
  /** `null`: no codes are asked for. */
  code_app: managed(
    data<CodeApp | null, { readonly initial: null }>(Type.Union([Type.Object({}), Type.Null()]), { initial: null }),
    { shown: 'never' },
  ),
  /** Number of apps that were ever enrolled, so that each gets a secret of its own. */
  code_app_count: managed(integer({ initial: 0 }), { shown: 'never' }),
  /** Keyed digests of the recovery codes that have not been used. */
  recovery_codes: managed(list(text(), { initial: [] }), { shown: 'never' }),
  passkeys: managed(
    data<readonly Passkey[], { readonly initial: readonly [] }>(Type.Array(Type.Object({})), { initial: [] }),
    { shown: 'never' },
  ),
} as const

/** Events of credentials that the second factor adds. */
export const secondFactorEvents = {
  /** The first code of an app was confirmed. Its recovery codes take the place of earlier ones. */
  CodeAppEnrolled: { evolve: enrolled },
  OneTimeCodeUsed: { evolve: codeUsed },
  /** Codes are asked for no more. */
  CodeAppRemoved: { constants: { code_app: null, recovery_codes: [] } },
  RecoveryCodesReplaced: { sets: ['recovery_codes'] },
  RecoveryCodeUsed: { evolve: recoveryCodeUsed },
  PasskeyAdded: { evolve: passkeyAdded },
  PasskeyNamed: { evolve: passkeyNamed },
  PasskeyUsed: { evolve: passkeyUsed },
  PasskeyRemoved: { evolve: passkeyRemoved },
} as const
