import { erasePerson } from '../../domain/kernel/engine/erase-person.ts'
import { streamOf } from '../../domain/kernel/values/stream-name.ts'
import type { WriteOperation } from '../../domain/resources/operation.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'

/** Performs the effects of a write outside the log. A replay performs them too, because the first request may have been cut off before it did. */
export const performEffects = async (service: Service, { resource, operation }: Route, id: number): Promise<void> => {
  const { effects } = operation as WriteOperation
  if (!effects?.includes('destroyKey')) return
  await erasePerson(service, resource.aggregate.model, streamOf(resource.aggregate, id))
  service.forget()
}
