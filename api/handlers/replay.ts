import { finishFollowUps } from '../../domain/kernel/engine/follow-up.ts'
import type { Claim } from '../../domain/kernel/ports/event-log.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { WriteOperation } from '../../domain/resources/operation.ts'
import { createPastLoader } from '../../projections/loading/past-loader.ts'
import type { RecordForm } from '../../projections/response-cache.ts'
import { orThrow } from '../errors.ts'
import { READ_YOUR_WRITES_MS } from '../read-your-writes.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { performEffects } from './effects.ts'
import { firstAnswer, type Idempotency } from './idempotency.ts'
import { notedAnswer } from './noted-answer.ts'
import { cutHeaders, etag } from './read.ts'
import type { Reply } from './request.ts'
import { reveal } from './reveal.ts'
import { packState } from './state-token.ts'

/** Carries out follow-ups that the first request did not finish. */
const finish = async (service: Service, event: RecordedEvent): Promise<void> => {
  if (!event.metadata.follow_ups) return
  const position = orThrow(await finishFollowUps(service.engine, service.aggregates, event))
  await service.progress.reached(position, READ_YOUR_WRITES_MS)
}

/** Returns the moment before an event, and before what followed from it: that has the same time. */
const before = (at: string, { stream, revision }: { readonly stream: string; readonly revision: number }) => ({
  at: new Date(Date.parse(at) - 1).toISOString(),
  upTo: { stream, revision: revision - 1 },
})

/** Repeats the answer to the first request under an idempotency key, from the log as it was then. */
export const replay = async (
  service: Service,
  route: Route,
  claim: Claim,
  idempotency: Idempotency,
  { expand, seesPersonalData }: RecordForm,
): Promise<Reply> => {
  const { id, status } = firstAnswer(claim, idempotency)
  const headers = { 'Idempotency-Replayed': 'true' }
  const operation = route.operation as WriteOperation
  const noted = operation.settled && (await notedAnswer(service, idempotency))
  const settled = noted && orThrow(noted.result)
  await performEffects(service, route, id)
  const upTo = { stream: claim.stream, revision: claim.revision }
  let at = new Date(service.now()).toISOString()
  for await (const event of service.log.readStream(upTo.stream, { from: upTo.revision, limit: 1 })) {
    at = event.metadata.at
    await service.progress.reached(event.position, READ_YOUR_WRITES_MS)
    await finish(service, event)
  }
  if (status === 204) return { status, headers }
  const moment = noted ? { at: noted.at } : operation.showsBefore ? before(at, upTo) : { at, upTo }
  const document = await service.history.document(route.resource, id, moment)
  if (!document) throw refuse.notFound(route.resource.missing)
  const past = createPastLoader(service, moment, seesPersonalData)
  const shown = await (operation.shows?.of(document, past, packState) ??
    route.resource.view.present(document, past, expand))
  const body = reveal(service, route, document, shown)
  const repeated = { ...headers, ...(!operation.showsBefore && { ETag: etag(document) }), ...cutHeaders(past.cuts) }
  return { status: settled ?? status, body, headers: repeated }
}
