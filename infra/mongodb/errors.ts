import { refuse } from '../../domain/kernel/values/refusal.ts'

const RETRY_SECONDS = 2

/** MongoDB cannot be reached, and was waited for long enough. What is repeated then is done then. */
export class MongoUnavailable extends Error {
  /** What a client is told; addresses are not for it. */
  readonly refusal = refuse.unavailable('a store cannot be reached for the moment', RETRY_SECONDS)
}
