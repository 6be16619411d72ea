import { text } from '../../kernel/model/fields.ts'
import { keyOfWorkspace } from '../../kernel/model/personal.ts'
import type { Vault } from '../../kernel/ports/vault.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { workspaceOf } from '../../resources/workspace-of.ts'
import type { SealedKey } from './model.ts'

const SHOWN = 4
/** The last four characters are shown, which would be too much of a shorter key. */
const SHORTEST = 12
const FORM = { test: /^[\x21-\x7e]{12,500}$/, says: `must be ${SHORTEST} to 500 characters without spaces` }

const sent = (about: string) => text({ nullable: true, trim: true, emptyIsNull: true, max: 500, form: FORM, about })

/** Keys of an account, as clients send them. */
export const keyFields = {
  secret_key: sent('What charges are made with. Never shown again; needed where there is a gateway'),
  webhook_secret: sent('What notifications of the gateway are verified with. Never shown again'),
}

/** Prefix of a key, which names its mode. */
const MODES = /^[a-z]+_(live|test|sandbox)_/

const modeProblem = (key: string, isLive: boolean): Refusal | undefined => {
  const [, mode] = MODES.exec(key) ?? []
  if (mode === undefined || (mode === 'live') === isLive) return undefined
  return refuse.invalid(
    `Live mode must be that of the secret key, which is one of ${mode} mode`,
    'live_mode',
    'mismatch',
  )
}

/** Returns the fields of a request with the keys sealed. Refuses a key of the wrong mode. */
export const sealKeys = async (input: WriteInput): Promise<JsonObject | Refusal> => {
  const { fields, document, vault } = input
  const workspaceId = workspaceOf(input)
  const wanted: Record<string, JsonObject[string]> = { ...fields }
  const isLive = (document ?? fields).live_mode === true
  const problem = typeof fields.secret_key === 'string' ? modeProblem(fields.secret_key, isLive) : undefined
  if (problem) return problem
  for (const name of Object.keys(keyFields)) {
    const key = fields[name]
    if (typeof key !== 'string') continue
    const sealed = await vault.seal(keyOfWorkspace(workspaceId), { key })
    wanted[name] = { sealed, last4: key.slice(-SHOWN) } satisfies SealedKey
  }
  return wanted
}

/** Decrypts a key for a call to the gateway; `null` where there is none. */
export const openKey = async (
  key: SealedKey | null,
  workspaceId: number,
  vault: Pick<Vault, 'open'>,
): Promise<string | null> => {
  const opened = key && (await vault.open(keyOfWorkspace(workspaceId), key.sealed))
  return typeof opened?.key === 'string' ? opened.key : null
}
