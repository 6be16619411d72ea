import { randomUUID } from 'node:crypto'
import { CLOCK_ADVANCES } from '../../domain/account/public.ts'
import { ask, stampCommand } from '../../domain/kernel/decide/ask.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import { workerActor } from '../../domain/kernel/engine/transaction.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { type Ids, withIds } from '../../domain/kernel/values/ids.ts'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import { gatewayAccount, gatewayNotification, openKey, refundFailure } from '../../domain/payments/public.ts'
import { once } from '../../workers/once.ts'

interface NotificationDeps {
  readonly engine: Engine
  readonly live: Pick<ReadModels, 'get'>
  readonly vault: Pick<Vault, 'open'>
  readonly ids: Ids
  readonly now: (workspaceId: number) => number
  /** Whether the clock of a workspace is being advanced. */
  readonly advances: (workspaceId: number) => MaybePromise<boolean>
}

/** Receiver of notifications from gateways. */
export interface Notifications {
  /**
   * Records a notification from an account's gateway, once, however often it is sent.
   *
   * @throws {Refusal} not found, when there is no such account or no secret to verify it with; malformed, when it is not from
   * the gateway; conflict, while the clock of the workspace is being advanced
   */
  take(accountId: number, body: Buffer, signature: string): Promise<void>
}

const recordIn = recordOf(gatewayAccount)

/** Creates the receiver of notifications. */
export const notifications = ({ engine, live, vault, ids, now, advances }: NotificationDeps): Notifications => ({
  async take(accountId, body, signature) {
    const document = await live.get(gatewayAccount.name, accountId)
    if (document?.provider !== 'stripe') throw refuse.notFound()
    const workspaceId = Number(document.workspace_id)
    if (await advances(workspaceId)) throw refuse.conflict(CLOCK_ADVANCES)
    const secret = await openKey(recordIn(document).webhook_secret, workspaceId, vault)
    if (secret === null) throw refuse.notFound()
    const { readStripe } = await import('./stripe-notifications.ts')
    const read = readStripe(body, signature, secret)
    if (!read) throw refuse.malformed('The body is no event with the signature of the gateway')
    const { id: event_id, notice } = read
    if (!notice) return
    const wanted = { gateway_account_id: accountId, event_id, ...notice }
    const cause = randomUUID()
    const at = new Date(now(workspaceId)).toISOString()
    const result = await withIds(ids, () => {
      const kind = notice.refund_id === undefined ? gatewayNotification : refundFailure
      const id = ids.next(kind.name)
      return engine.transact({
        ...stampCommand(ask(kind.aggregate, id, 'create', wanted), {
          at,
          actor: workerActor('payments'),
        }),
        isNew: true,
        teamId: Number(document.team_id),
        workspaceId,
        causationId: cause,
        correlationId: cause,
        once: once(`payments/notification:${accountId}:${event_id}`),
      })
    })
    if (result instanceof Refusal) throw result
  },
})
