import { refuse } from '../../domain/kernel/values/refusal.ts'

const RETRY_SECONDS = 2

/** Error for a MongoDB that could not be reached for too long. The operation can be repeated later. */
export class MongoUnavailable extends Error {
  /** Answer to a client. It does not reveal addresses. */
  readonly refusal = refuse.unavailable('a store cannot be reached for the moment', RETRY_SECONDS)
}
