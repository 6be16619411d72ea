import type { Outcome } from '../../domain/kernel/engine/transaction.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { WriteInput, WriteOperation } from '../../domain/resources/operation.ts'
import { createLoader } from '../../projections/loading/live-loader.ts'
import type { RecordForm } from '../../projections/response-cache.ts'
import type { Reply } from '../request.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import { cutHeaders, etag, present } from './read.ts'
import { BEHIND, READ_YOUR_WRITES_MS } from './read-your-writes.ts'
import { reveal } from './reveal.ts'
import { timeFor } from './workspace-clock.ts'

/** Answers a write with the record after it. Folds the record from the log when the documents are behind. */
export const answer = async (
  service: Service,
  route: Route,
  { id, document: before, owner }: WriteInput,
  status: number,
  outcome: Outcome,
  form: RecordForm,
): Promise<Reply> => {
  const { resource } = route
  const { reveals, shows } = route.operation as WriteOperation
  const reached = outcome.position < 0 || (await service.progress.reached(outcome.position, READ_YOUR_WRITES_MS))
  const headers = reached ? {} : BEHIND
  if (status === 204) return { status, headers }
  if (reached && !reveals && !shows) {
    const shown = await service.responseCache.one(resource, id, form)
    if (!shown) throw refuse.notFound(resource.missing)
    return { status, text: shown.text, headers: { ETag: etag(shown.frame), ...cutHeaders(shown.cuts) } }
  }
  const document = reached
    ? await service.live.get(resource.name, id)
    : await service.history.document(resource, id, { at: timeFor(service, before ?? owner) })
  if (!document) throw refuse.notFound(resource.missing)
  const load = createLoader(service, form.seesPersonalData)
  const body = reveal(service, route, document, await present(service, resource, document, load, form.expand, shows))
  return { status, body, headers: { ...headers, ETag: etag(document), ...cutHeaders(load.cuts) } }
}
