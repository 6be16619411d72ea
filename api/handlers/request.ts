import type { IncomingHttpHeaders } from 'node:http'
import type { Json } from '../../domain/kernel/values/event.ts'
import type { Caller } from '../../domain/resources/operation.ts'
import type { JsonPath } from '../http/lossy-numbers.ts'

/** Request as handlers see it: without the framework, and with a known caller. */
export interface ApiRequest {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** The parsed JSON body; `undefined` when none was sent. */
  readonly body: unknown
  /** Paths of numbers in the body that lose digits when they are read. */
  readonly lossyNumbers: readonly JsonPath[]
  readonly caller: Caller
  readonly requestId: string
  /** Scheme and host under which the client reached the service. It is a function, because an accessor would give every request a hidden class of its own. */
  readonly origin: () => string
  /** Path with query, as sent. */
  readonly target: string
}

export interface Reply {
  readonly status: number
  readonly body?: Json
  /** Serialized JSON, in place of a body; if it is long, in parts. */
  readonly text?: string | Buffer | readonly Buffer[]
  readonly headers?: Readonly<Record<string, string>>
}
