import type { IncomingHttpHeaders } from 'node:http'
import type { Json } from '../domain/kernel/values/event.ts'
import type { Caller } from '../domain/resources/operation.ts'

/** A request as handlers see it: nothing of the framework, and the caller is known. */
export interface ApiRequest {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** The parsed JSON body; `undefined` when none was sent. */
  readonly body: unknown
  readonly caller: Caller
  readonly requestId: string
  /** Scheme and host under which the client reached the service. A function: an accessor would give every request a hidden class of its own. */
  readonly origin: () => string
  /** Path with query, as sent. */
  readonly target: string
}

export interface Reply {
  readonly status: number
  readonly body?: Json
  /** In place of a body: JSON as it is sent. */
  readonly text?: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}
