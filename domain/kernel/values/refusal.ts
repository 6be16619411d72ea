/** Kind of a refusal. api/ maps each kind to a status in one table. */
export type RefusalKind =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'conflict'
  | 'preconditionFailed'
  | 'tooLarge'
  | 'unsupported'
  | 'invalid'
  | 'tooMany'
  | 'unavailable'

/** One problem of a request, for programs to act on. */
export interface Detail {
  /** Dotted path from the root of the body, or the name of a parameter. */
  readonly field: string
  /** A stable word such as `blank`, `taken`, `inclusion`. */
  readonly code: string
  /** A sentence for a person. */
  readonly message: string
}

/** An expected refusal, safe to show to the client. `decide` returns it; code at the edges may throw it. */
export class Refusal extends Error {
  readonly kind: RefusalKind
  readonly details: readonly Detail[]
  /** Seconds after which it is worth trying again. */
  readonly retryAfter: number | undefined

  constructor(kind: RefusalKind, message: string, details: readonly Detail[] = [], retryAfter?: number) {
    super(message)
    this.kind = kind
    this.details = details
    this.retryAfter = retryAfter
  }
}

const withField =
  (kind: RefusalKind) =>
  (message: string, field?: string, code: string = kind) =>
    new Refusal(kind, message, field === undefined ? [] : [{ field, code, message }])

/** Makes refusals: `refuse.invalid("Name can't be blank", 'contact.name', 'blank')`. */
export const refuse = {
  malformed: withField('malformed'),
  unauthenticated: () => new Refusal('unauthenticated', 'API key missing or invalid'),
  forbidden: withField('forbidden'),
  notFound: (message = 'Not found: Record missing') => new Refusal('notFound', message),
  conflict: withField('conflict'),
  preconditionFailed: (message: string) => new Refusal('preconditionFailed', message),
  tooLarge: (message: string) => new Refusal('tooLarge', message),
  /** For a body in a form that is not read. */
  unsupported: (message: string) => new Refusal('unsupported', message),
  invalid: withField('invalid'),
  /** Reports several problems at once. The message lists every detail. */
  invalidFields: (details: readonly Detail[]) =>
    new Refusal('invalid', details.map((detail) => detail.message).join(', '), details),
  tooMany: (message: string, retryAfter: number) => new Refusal('tooMany', message, [], retryAfter),
  unavailable: (message: string, retryAfter = 1) => new Refusal('unavailable', message, [], retryAfter),
} as const

/** Returns the refusal to show for an error: the error itself, or the one that an error of a store carries; `undefined` for any other error. */
export const refusalIn = (error: unknown): Refusal | undefined => {
  const refusal = error instanceof Refusal ? error : (error as { readonly refusal?: unknown } | null)?.refusal
  return refusal instanceof Refusal ? refusal : undefined
}
