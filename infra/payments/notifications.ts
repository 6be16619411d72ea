import { randomUUID } from 'node:crypto'
import { ask } from '../../domain/kernel/decide/ask.ts'
import { desk, type Occasion } from '../../domain/kernel/engine/desk.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import { workerActor } from '../../domain/kernel/engine/transaction.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { Ids } from '../../domain/kernel/values/ids.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import { BANK, checkout, checkouts, RUNNING, transaction } from '../../domain/orders/public.ts'
import {
  gatewayAccount,
  gatewayNotification,
  openKey,
  refundFailure,
  unknownPayment,
} from '../../domain/payments/public.ts'
import { once } from '../../workers/once.ts'
import type { BankNotice, Notice } from './notice.ts'

interface NotificationDeps {
  readonly engine: Engine
  readonly live: Pick<ReadModels, 'get' | 'find'>
  readonly vault: Pick<Vault, 'open'>
  readonly ids: Ids
  readonly now: (workspaceId: number) => number
}

/** Receiver of notifications from gateways. */
export interface Notifications {
  /**
   * Returns a function that records a notification from an account's gateway, once, however often it is sent. It refuses a body
   * that is not from the gateway as malformed.
   *
   * @param signature header that the gateway sends with the body
   * @throws {Refusal} not found, when there is no such account or no secret to verify it with; malformed, when the header has no
   * recent signature
   */
  open(accountId: number, signature: string): Promise<(body: Buffer) => Promise<void>>
}

const recordIn = recordOf(gatewayAccount)

/** Returns the occasion that a notification about an account is. */
const occasionOf = ({ team_id, workspace_id }: Document, now: NotificationDeps['now']): Occasion => {
  const [teamId, workspaceId] = [Number(team_id), Number(workspace_id)]
  const at = new Date(now(workspaceId)).toISOString()
  return { actor: workerActor('payments'), at, cause: randomUUID(), teamId, workspaceId }
}

type Kind = typeof gatewayNotification | typeof refundFailure | typeof unknownPayment

/** Records what a gateway has told about a charge of an account, once under a key. @throws {Refusal} of the engine */
const record = async (
  { engine, ids, now }: NotificationDeps,
  account: Document,
  kind: Kind,
  key: string,
  told: Pick<Notice, 'external_id' | 'amount' | 'currency'> & { readonly event_id: string },
): Promise<void> => {
  const wanted = { gateway_account_id: Number(account.id), ...told }
  const result = await desk({ engine, ids })(occasionOf(account, now), ask(kind.aggregate, 'new', 'create', wanted), {
    claim: once(`payments/notification:${account.id}:${key}`),
  })
  if (result instanceof Refusal) throw result
}

/** Lets a checkout that waits for the bank go on. One that does not wait for it changes nothing. @throws {Refusal} of the engine */
const goOn = async ({ engine, now }: NotificationDeps, account: Document, found: Document): Promise<void> => {
  const settled = ask(checkouts.decider, Number(found.id), 'settle', { step: BANK, way: RUNNING, keeps: {} })
  const result = await desk({ engine })(occasionOf(account, now), settled)
  if (result instanceof Refusal) throw result
}

/**
 * Hands an answer to the checkout that may wait for it. A payment that belongs to no checkout and no order is kept for the owner; a policy takes it off
 * the list again where the gateway was quicker than our own record of the charge. @throws {Refusal} of the engine
 */
const takeAnswer = async (
  deps: NotificationDeps,
  account: Document,
  event_id: string,
  { answered, paid }: BankNotice,
): Promise<void> => {
  const { live } = deps
  const isOfAccount = ({ gateway_account_id }: Document) => gateway_account_id === account.id
  const found = await live.find(checkout.name, { where: { charge_id: answered }, limit: 1 })
  if (found.length > 0) return found.some(isOfAccount) ? goOn(deps, account, found[0] as Document) : undefined
  if (!paid || (await live.find(transaction.name, { where: { external_id: answered }, limit: 1 })).length > 0) return
  await record(deps, account, unknownPayment, `unknown:${answered}`, { event_id, external_id: answered, ...paid })
}

/** Creates the receiver of notifications. */
export const notifications = (deps: NotificationDeps): Notifications => ({
  async open(accountId, header) {
    const { live, vault } = deps
    const document = await live.get(gatewayAccount.name, accountId)
    if (document?.provider !== 'stripe') throw refuse.notFound()
    const workspaceId = Number(document.workspace_id)
    const secret = await openKey(recordIn(document).webhook_secret, workspaceId, vault)
    if (secret === null) throw refuse.notFound()
    const { readStripe, signatureIn } = await import('./stripe-notifications.ts')
    const signature = signatureIn(header, Date.now())
    if (signature === undefined)
      throw refuse.malformed('the header has no signature of the last five minutes', 'Stripe-Signature', 'invalid')
    return async (body) => {
      const read = readStripe(body, signature, secret)
      if (!read) throw refuse.malformed('The body is no event with the signature of the gateway')
      const { id, notice } = read
      if (!notice) return
      if ('answered' in notice) return takeAnswer(deps, document, id, notice)
      const kind = notice.refund_id === undefined ? gatewayNotification : refundFailure
      await record(deps, document, kind, id, { event_id: id, ...notice })
    }
  },
})
