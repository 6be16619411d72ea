/** Result of a call to the outside. Failure is an ordinary outcome, not an exception. Reasons are stored, so they must not be personal. */
export type CallResult<Answer = unknown> =
  | { readonly came: 'answered'; readonly answer: Answer }
  /** The receiver refuses for good: it would refuse again under the same key. */
  | { readonly came: 'refused'; readonly reason: string }
  /** The call was surely not carried out. */
  | { readonly came: 'failed'; readonly reason: string }
  /** The call may have been carried out: there was no answer in time, or the connection was lost. */
  | { readonly came: 'unknown'; readonly reason: string }

/** Result of a query about a key. `never`: the call has not arrived and will not arrive any more. */
export type QueryResult<Answer = unknown> =
  | Exclude<CallResult<Answer>, { readonly came: 'failed' }>
  | { readonly came: 'never' }

/**
 * Implementation of a port: it calls a service outside. As far as the service allows, it carries out each key at most once, however often the key is
 * sent. Where the service does not, callers use `find` before they send again. An exception counts as `unknown`.
 */
export interface Adapter<Request = unknown, Answer = unknown> {
  /** Sends a request. @param signal aborted when the answer is no longer awaited */
  send(request: Request, key: string, signal: AbortSignal): Promise<CallResult<Answer>>
  /** Finds the outcome of a request that was sent under a key. Required for calls whose `onUnknown` is `query`. */
  find?(request: Request, key: string, signal: AbortSignal): Promise<QueryResult<Answer>>
}

/** A kind of call to the outside. An adapter is configured under its name. */
export interface Port<Request, Answer> {
  readonly name: string
  /** Only for the compiler: types of the request and the answer. */
  readonly carries?: { readonly request: Request; readonly answer: Answer }
}

/** Makes a port for a type of requests and a type of answers: `port<Charge, Charged>('payment/charge')`. */
export const port = <Request, Answer>(name: string): Port<Request, Answer> => ({ name })

/** Adapters by the names of their ports. */
export type Adapters = ReadonlyMap<string, Adapter>

/** Returns an entry of `Adapters`. */
export const adapterAt = <Request, Answer>(
  { name }: Port<Request, Answer>,
  adapter: Adapter<Request, Answer>,
): readonly [string, Adapter] => [name, adapter]
