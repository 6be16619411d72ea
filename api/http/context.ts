import type { Context } from 'koa'
import type { Caller } from '../../domain/resources/operation.ts'
import type { Route } from '../routes.ts'

/** What the middleware learns of a request, each part set once. */
export interface RequestState {
  requestId: string
  /** What the answer says besides, whatever it is: names and values in turn, set all at once. */
  readonly headers: string[]
  route?: Route
  /** What is asked for, where that is no operation of the API. */
  operation?: string
  caller?: Caller
}

export type ApiContext = Context & { state: RequestState }
export type Next = () => Promise<unknown>

/** Scheme and host under which the client reached the service. */
export const originOf = (ctx: Pick<Context, 'protocol' | 'host'>): string => `${ctx.protocol}://${ctx.host}`
