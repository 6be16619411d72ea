import type { Context } from 'koa'
import type { Caller } from '../../domain/resources/operation.ts'
import type { Route } from '../routes.ts'
import type { JsonPath } from './lossy-numbers.ts'

/** Data that the middleware collects about a request. Each property is set once. */
export interface RequestState {
  requestId: string
  /** Headers that every kind of answer gets: names and values in turn, set all at once. */
  readonly headers: string[]
  route?: Route
  /** Paths of numbers in the body that lose digits. */
  lossyNumbers?: readonly JsonPath[]
  /** Name of the request for log and metrics, when it is for no operation of the API. */
  operation?: string
  caller?: Caller
}

export type ApiContext = Context & { state: RequestState }
export type Next = () => Promise<unknown>

/** Returns the scheme and host under which the client reached the service. */
export const originOf = (ctx: Pick<Context, 'protocol' | 'host'>): string => `${ctx.protocol}://${ctx.host}`
