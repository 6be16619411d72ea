import { holderOf } from '../../kernel/engine/claim-holder.ts'
import type { Engine } from '../../kernel/engine/engine.ts'
import { claimsFor } from '../../kernel/model/claim.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { EventLog } from '../../kernel/ports/event-log.ts'
import { formSubmission } from './model.ts'
import { formSubmissions } from './rules.ts'

interface FindDeps {
  readonly log: Pick<EventLog, 'claimed'>
  readonly engine: Pick<Engine, 'claimKey' | 'records'>
}

/**
 * Returns the submission that used a nonce; `undefined` if none did. Its `next` is the answer to a repeat.
 *
 * @throws {Refusal} unavailable, while it is being decided whether a submission uses it
 */
export const submissionByNonce = async (
  { log, engine }: FindDeps,
  workspaceId: number,
  nonce: string,
): Promise<RecordOf<typeof formSubmission> | undefined> => {
  const id = await holderOf({ log, engine }, claimsFor(formSubmission, { nonce }, workspaceId))
  return id === undefined ? undefined : (await engine.records(formSubmissions, id, -1)).root(formSubmission)
}
