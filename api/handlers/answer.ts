import type { Outcome } from '../../domain/kernel/engine/transaction.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { WriteInput, WriteOperation } from '../../domain/resources/operation.ts'
import { createLoader } from '../../projections/loading/live-loader.ts'
import type { RecordForm } from '../../projections/response-cache.ts'
import { BEHIND, READ_YOUR_WRITES_MS } from '../read-your-writes.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { cutHeaders, etag, present } from './read.ts'
import type { Reply } from './request.ts'
import { reveal } from './reveal.ts'
import { timeFor } from './workspace-clock.ts'

/** What a write shows of a record. */
interface Answered {
  readonly body: JsonObject
  readonly headers: NonNullable<Reply['headers']>
}

/** Shows a record as a write answers with it. */
export const shownOf = async (
  service: Service,
  { resource, operation }: Route,
  document: Document,
  { seesPersonalData, expand }: RecordForm,
): Promise<Answered> => {
  const load = createLoader(service, seesPersonalData)
  const body = await present(service, resource, document, load, expand, (operation as WriteOperation).shows)
  return { body, headers: cutHeaders(load.cuts) }
}

/** Answers a write with the record after it. Folds the record from the log when the documents are behind. */
export const answer = async (
  service: Service,
  route: Route,
  { id, document: before, owner }: WriteInput,
  status: number,
  outcome: Outcome,
  form: RecordForm,
  former?: Answered,
): Promise<Reply> => {
  const { resource } = route
  const { reveals, shows } = route.operation as WriteOperation
  const reached = outcome.position < 0 || (await service.progress.reached(outcome.position, READ_YOUR_WRITES_MS))
  const headers = reached ? {} : BEHIND
  if (status === 204) return { status, headers }
  if (former) return { status, body: former.body, headers: { ...headers, ...former.headers } }
  if (reached && !reveals && !shows) {
    const shown = await service.responseCache.one(resource, id, form)
    if (!shown) throw refuse.notFound(resource.missing)
    return { status, text: shown.text, headers: { ETag: etag(shown.frame), ...cutHeaders(shown.cuts) } }
  }
  const document = reached
    ? await service.everywhere.get(resource.name, id)
    : await service.history.document(resource, id, { at: timeFor(service, before ?? owner) })
  if (!document) throw refuse.notFound(resource.missing)
  const shown = await shownOf(service, route, document, form)
  const body = reveal(service, route, document, shown.body)
  return { status, body, headers: { ...headers, ETag: etag(document), ...shown.headers } }
}
