/** What the outside says to something that was sent. Never an exception: failure is an ordinary outcome. Reasons are kept, and tell nothing personal. */
export type CallResult<Answer = unknown> =
  | { readonly came: 'answered'; readonly answer: Answer }
  /** It declines, for good: under the same key it would say so again. */
  | { readonly came: 'refused'; readonly reason: string }
  /** Surely not done. */
  | { readonly came: 'failed'; readonly reason: string }
  /** It may have been done or not: no answer in time, or a connection that was lost. */
  | { readonly came: 'unknown'; readonly reason: string }

/** What the outside says when it is asked what became of a key; `never`: it did not come, and is not on its way any more. */
export type QueryResult<Answer = unknown> =
  | Exclude<CallResult<Answer>, { readonly came: 'failed' }>
  | { readonly came: 'never' }

/**
 * Something outside that is called, by whoever implements it. It does what comes under one key once at most, however often it comes, as far as
 * it can; where it cannot, `find` is what keeps it from doing it twice. What is thrown counts as `unknown`.
 */
export interface Adapter<Request = unknown, Answer = unknown> {
  /** @param signal aborted when nobody waits for the answer any more */
  send(request: Request, key: string, signal: AbortSignal): Promise<CallResult<Answer>>
  /** What became of what was sent under a key; for ports that are asked when in doubt. */
  find?(request: Request, key: string, signal: AbortSignal): Promise<QueryResult<Answer>>
}

/** A kind of call to the outside, by the name under which its callee is configured. */
export interface Port<Request, Answer> {
  readonly name: string
  /** Only for the compiler: what is sent, and what is answered. */
  readonly carries?: { readonly request: Request; readonly answer: Answer }
}

/** A port of what is sent and what is answered: `port<Charge, Charged>('payment/charge')`. */
export const port = <Request, Answer>(name: string): Port<Request, Answer> => ({ name })

/** Who is called at which port. */
export type Adapters = ReadonlyMap<string, Adapter>

/** A port with its callee, as one entry of `Callees`. */
export const adapterAt = <Request, Answer>(
  { name }: Port<Request, Answer>,
  callee: Adapter<Request, Answer>,
): readonly [string, Adapter] => [name, callee]
