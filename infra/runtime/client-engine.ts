import { CLOCK_ADVANCES } from '../../domain/account/public.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'

/**
 * Returns an engine for what visitors, recipients and other services ask for: it carries out nothing in a workspace whose clock is being advanced, since that would
 * happen at an instant that is over for everything else. It throws a refusal, unavailable, instead.
 */
export const clientEngine = (engine: Engine, advances: (workspaceId: number) => MaybePromise<boolean>): Engine => ({
  ...engine,
  async transact(transaction) {
    const { workspaceId } = transaction
    if (workspaceId !== undefined && (await advances(workspaceId))) throw refuse.unavailable(CLOCK_ADVANCES)
    return engine.transact(transaction)
  },
})
