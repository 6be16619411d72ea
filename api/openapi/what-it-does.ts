import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { ownConsequence } from '../own-consequence.ts'
import type { Route } from '../routes.ts'

/** Says for programs that show or ask what an operation does: what it asks a record for, and what follows from it or from its fields. */
export const whatItDoes = (route: Route): JsonObject => {
  const { operation } = route
  const consequence = ownConsequence(route)
  const fields = 'body' in operation ? Object.entries(operation.body?.fields ?? {}) : []
  const ofFields = fields.flatMap(([name, field]) => (field.consequence ? [[name, field.consequence.says]] : []))
  return {
    ...(operation.kind === 'write' && { 'x-act': operation.act }),
    ...(consequence !== null && { 'x-consequence': consequence }),
    ...(ofFields.length > 0 && { 'x-consequence-of-fields': Object.fromEntries(ofFields) as JsonObject }),
  }
}
