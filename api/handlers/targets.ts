import { humanize } from '../../domain/kernel/model/parse.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { WriteOperation } from '../../domain/resources/operation.ts'
import type { Service } from '../service.ts'

/**
 * Checks addresses that Millrace is to call against the guard, as far as possible without resolving names.
 *
 * @throws {Refusal} invalid, naming every field whose address can never be called
 */
export const checkTargets = (service: Service, { targets = [], body }: WriteOperation, fields: JsonObject): void => {
  const details = targets.flatMap((name) => {
    const url = fields[name]
    const objection = typeof url === 'string' ? service.outbound.objection(url) : undefined
    if (objection === undefined) return []
    const message = `${humanize(name)} cannot be called: ${objection}`
    return [{ field: body?.root ? `${body.root}.${name}` : name, code: 'target', message }]
  })
  if (details.length > 0) throw refuse.invalidFields(details)
}
