import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { WriteOperation } from '../../domain/resources/operation.ts'

/** Names the fields of a refusal by their path in the body, as the client knows them. */
export const inBody = <T>({ body }: WriteOperation, result: T | Refusal): T | Refusal => {
  if (!(result instanceof Refusal) || !body) return result
  const details = result.details.map((detail) =>
    detail.field in body.fields && body.root !== null ? { ...detail, field: `${body.root}.${detail.field}` } : detail,
  )
  return new Refusal(result.kind, result.message, details, result.retryAfter)
}
