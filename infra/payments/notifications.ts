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
import { BANK, checkout, checkouts, RUNNING } from '../../domain/orders/public.ts'
import { gatewayAccount, gatewayNotification, openKey, refundFailure } from '../../domain/payments/public.ts'
import { once } from '../../workers/once.ts'
import type { Notice } from './notice.ts'

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

/** Records what a gateway has told about a charge of an account. @throws {Refusal} of the engine */
const record = async (
  { engine, ids, now }: NotificationDeps,
  account: Document,
  { id: event_id, notice }: { readonly id: string; readonly notice: Notice },
): Promise<void> => {
  const wanted = { gateway_account_id: Number(account.id), event_id, ...notice }
  const { aggregate } = notice.refund_id === undefined ? gatewayNotification : refundFailure
  const result = await desk({ engine, ids })(occasionOf(account, now), ask(aggregate, 'new', 'create', wanted), {
    claim: once(`payments/notification:${account.id}:${event_id}`),
  })
  if (result instanceof Refusal) throw result
}

/** Lets a checkout that waits for the bank go on. One that does not wait for it changes nothing. @throws {Refusal} of the engine */
const goOn = async ({ engine, live, now }: NotificationDeps, account: Document, chargeId: string): Promise<void> => {
  const [found] = await live.find(checkout.name, { where: { charge_id: chargeId }, limit: 1 })
  if (!found || found.gateway_account_id !== account.id) return
  const settled = ask(checkouts.decider, Number(found.id), 'settle', { step: BANK, way: RUNNING, keeps: {} })
  const result = await desk({ engine })(occasionOf(account, now), settled)
  if (result instanceof Refusal) throw result
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
      if (notice && 'answered' in notice) await goOn(deps, document, notice.answered)
      else if (notice) await record(deps, document, { id, notice })
    }
  },
})
