import { randomInt } from 'node:crypto'
import { keyOfWorkspace } from '../../domain/kernel/model/personal.ts'
import type { ShortTermStore } from '../../domain/kernel/ports/short-term-store.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { hashToken } from '../token-hash.ts'

type Deps = { readonly shortTerm: ShortTermStore; readonly now: () => number }

const LASTS_MS = 10 * 60_000

/** Kind of the records of questions that were asked. */
const ASKED = 'agents/confirmation'

const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const LENGTH = 12

const placeOf = (code: string) => ({ kind: ASKED, key: hashToken(code) })

/** Path of the page on which a person confirms a call. */
export const CONFIRM = '/account/agents/confirm'

/** One thing that a person is told about a call: what it is, and its value, in part written by outsiders. */
export type Detail = readonly [name: string, value: string]

/** What a person is asked about a call. */
export interface Asked {
  /** In words of the house and ids, for the program as well. */
  readonly text: string
  readonly details: readonly Detail[]
}

/** Who asks: an agent, for the person who let it in. */
interface Asker {
  readonly service: Deps & { readonly vault: Pick<Vault, 'seal'> }
  readonly access: { readonly userId: number; readonly workspaceId: number; readonly clientId: string }
}

/** What a person is asked about a call of an agent. */
export interface Question extends Asked {
  readonly userId: number
  readonly workspaceId: number
  readonly clientId: string
}

/** Makes a code by which a call can be confirmed once, within ten minutes. @param digest of the call */
export const askFor = async ({ service, access }: Asker, digest: string, { text, details }: Asked): Promise<string> => {
  const code = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  const { userId, workspaceId, clientId } = access
  const until = service.now() + LASTS_MS
  // Names and values are personal. They are sealed as those of the workspace are.
  const sealed = await service.vault.seal(keyOfWorkspace(workspaceId), { details })
  const data = { digest, text, sealed, userId, workspaceId, clientId, until }
  await service.shortTerm.put(placeOf(code), { data, until })
  return code
}

/**
 * Whether a code confirms this very call. It is used up, whatever it was for, but by a call that comes before its person has confirmed it.
 *
 * @param inBrowser whether only a person in a browser can confirm
 */
export const isConfirmed = async (
  { service }: Pick<Asker, 'service'>,
  digest: string,
  code: string,
  inBrowser: boolean,
): Promise<boolean> => {
  const place = placeOf(code)
  const now = service.now()
  if (inBrowser) {
    const asked = await service.shortTerm.get(place, now)
    if (asked?.digest === digest && asked.confirmed !== true) return false
  }
  const asked = await service.shortTerm.take(place, now)
  return asked?.digest === digest && (!inBrowser || asked.confirmed === true)
}

/** Returns what is asked by a code; `undefined` when nothing is. */
export const questionOf = async (
  { shortTerm, now, vault }: Deps & { readonly vault: Pick<Vault, 'open'> },
  code: string,
): Promise<Question | undefined> => {
  const asked = await shortTerm.get(placeOf(code), now())
  if (!asked || asked.confirmed === true) return undefined
  const { text, userId, clientId } = asked
  const workspaceId = Number(asked.workspaceId)
  const opened = await vault.open(keyOfWorkspace(workspaceId), String(asked.sealed))
  if (!opened) return undefined
  const details = opened.details as readonly Detail[]
  return { text: String(text), details, userId: Number(userId), workspaceId, clientId: String(clientId) }
}

/** Records what a person decided about a call. */
export const decide = async ({ shortTerm, now }: Deps, code: string, isYes: boolean): Promise<void> => {
  const asked = await shortTerm.take(placeOf(code), now())
  if (!asked || !isYes) return
  await shortTerm.put(placeOf(code), { data: { ...asked, confirmed: true }, until: Number(asked.until) })
}
