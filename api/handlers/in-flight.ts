import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { errorBody } from '../errors.ts'
import { Quota } from '../http/quota.ts'
import type { ApiRequest, Reply } from './request.ts'

const RETRY_AFTER_SECONDS = 2

const quotas = new Map<number, Quota<string>>()

/** Returns how many requests of one token for one workspace may be under way, as a quota that all operations with that number share. */
const quotaOf = (each: number): Quota<string> => {
  const quota = quotas.get(each) ?? new Quota<string>({ total: Number.POSITIVE_INFINITY, each })
  quotas.set(each, quota)
  return quota
}

const tooMany = ({ requestId }: ApiRequest): Reply => {
  const says = `Too many filtered requests are already running for this workspace and access token. Try again in ${RETRY_AFTER_SECONDS} seconds.`
  return {
    status: 429,
    body: { ...errorBody(says, requestId), hint: null, retry_after: RETRY_AFTER_SECONDS },
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  }
}

/** Answers a request, unless so many of its token for the workspace are under way. `undefined`: any number may be. */
export const withinFlight = async (
  each: number | undefined,
  request: ApiRequest,
  owner: Document | undefined,
  work: () => Promise<Reply>,
): Promise<Reply> => {
  if (each === undefined) return work()
  const holder = `${request.caller.tokenId}:${owner?.id}`
  const quota = quotaOf(each)
  if (quota.take(holder) !== undefined) return tooMany(request)
  try {
    return await work()
  } finally {
    quota.give(holder)
  }
}
