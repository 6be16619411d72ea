import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import type { WriteOperation } from '../../domain/resources/operation.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'

/** Returns the body of an answer to a write, with the fields that this answer alone shows. */
export const reveal = (service: Service, route: Route, document: Document, body: JsonObject): JsonObject => {
  const { reveals } = route.operation as WriteOperation
  return reveals ? { ...body, ...reveals.of(document, service.secrets) } : body
}
