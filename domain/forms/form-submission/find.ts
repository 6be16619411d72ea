import type { Engine } from '../../kernel/engine/engine.ts'
import { claimsOn } from '../../kernel/model/claim.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { EventLog } from '../../kernel/ports/event-log.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
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
  for (const unique of formSubmission.unique)
    for (const claim of claimsOn(formSubmission, unique, { nonce }, workspaceId)) {
      const held = await log.claimed(engine.claimKey(claim))
      if (held?.undecided) throw refuse.unavailable('the form is being submitted; try again')
      if (held) return (await engine.records(formSubmissions, parseStream(held.stream).id, -1)).root(formSubmission)
    }
  return undefined
}
