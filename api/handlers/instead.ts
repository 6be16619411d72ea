import type { Claim } from '../../domain/kernel/ports/event-log.ts'
import type { WriteInput, WriteOperation } from '../../domain/resources/operation.ts'
import { orThrow } from '../errors.ts'
import type { Service } from '../service.ts'
import { claimOf, firstAnswer, type Idempotency } from './idempotency.ts'
import { inBody } from './in-body.ts'
import type { Reply } from './request.ts'
import { packState } from './state-token.ts'

/** Id in the note of a request that wrote nothing. No record has it. */
const NO_RECORD = 0

/** Stream under which such requests are noted. It never has events. */
const STREAM = 'answered_instead-0'

/** Returns the reply to a request that writes nothing; `undefined` where it writes. A repeat is answered as the first one was, whatever has come meanwhile. */
export const answerInstead = async (
  service: Service,
  operation: WriteOperation,
  input: WriteInput,
  idempotency: Idempotency | undefined,
  earlier: Claim | undefined,
): Promise<Reply | undefined> => {
  const { instead } = operation
  if (!instead) return undefined
  const isRepeat = idempotency !== undefined && earlier !== undefined
  if (!isRepeat && !orThrow(inBody(operation, await instead.when(input)))) return undefined
  const body = orThrow(inBody(operation, await instead.of(input, packState)))
  if (idempotency && !isRepeat) {
    const claim = claimOf(service, idempotency, NO_RECORD, instead.answers)
    await service.log.append({ stream: STREAM, expected: -1, events: [], take: [claim] })
  }
  return { status: instead.answers, body, headers: isRepeat ? { 'Idempotency-Replayed': 'true' } : {} }
}

/** Whether the first request under a key wrote nothing. @throws {Refusal} invalid, when the key was used for another request */
export const wroteNothing = (claim: Claim, idempotency: Idempotency): boolean =>
  firstAnswer(claim, idempotency).id === NO_RECORD
