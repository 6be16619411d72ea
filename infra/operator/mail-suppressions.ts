import { type ContactSuppression, emailDigest, knownMailbox, liftMailbox } from '../../domain/contacts/public.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { Ids } from '../../domain/kernel/values/ids.ts'
import { isAddress } from '../../domain/kernel/values/mailbox.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { carryOut, type OperatorEngine } from './carry-out.ts'

interface SuppressionsDeps extends OperatorEngine {
  readonly live: ReadModels
  readonly vault: Pick<Vault, 'token'>
  readonly ids: Ids
  readonly now: (workspaceId?: number) => number
}

/** An address of a workspace. */
export interface AddressOf {
  readonly workspace_id: number
  readonly address: string
}

/** What is known of an address. */
export type ShownSuppression = Pick<ContactSuppression, 'reason' | 'suppressed_at' | 'unsubscribed_at' | 'log'>

const NOTHING: ShownSuppression = { reason: null, suppressed_at: null, unsubscribed_at: null, log: [] }

/** Returns the operator's actions on what is known of addresses. */
export const operatorSuppressions = (deps: SuppressionsDeps) => {
  const { live, vault, now } = deps

  const digestOf = ({ address }: AddressOf): string => {
    if (!isAddress(address)) throw refuse.invalid('The address is invalid', 'address')
    return emailDigest(address, vault)
  }

  const show = async (of: AddressOf): Promise<ShownSuppression> => {
    const { reason, suppressed_at, unsubscribed_at, log } =
      (await knownMailbox(live, of.workspace_id, digestOf(of))) ?? NOTHING
    return { reason, suppressed_at, unsubscribed_at, log }
  }

  return {
    show,

    /** Lets mail go to an address again. @throws {Refusal} invalid, when somebody has unsubscribed, and where no reason is given */
    async lift(of: AddressOf, note: string): Promise<ShownSuppression> {
      if (note.trim() === '') throw refuse.invalid("Note can't be blank", 'note', 'blank')
      const workspace = await live.get('workspace', of.workspace_id)
      if (!workspace) throw refuse.notFound(`Not found: there is no workspace ${of.workspace_id}`)
      const scope = { teamId: Number(workspace.team_id), workspaceId: of.workspace_id }
      await carryOut(deps, liftMailbox(digestOf(of), note), scope, now(of.workspace_id))
      return show(of)
    },
  }
}

export type OperatorSuppressions = ReturnType<typeof operatorSuppressions>
