import type { JsonObject } from '../../domain/kernel/values/event.ts'
import type { Resource } from '../../domain/resources/resource.ts'
import { openapiInTurns } from '../openapi/document.ts'
import { type Route, routesOf } from '../routes.ts'

/** Operations that agents can find and call. */
export interface Catalogue {
  readonly routes: readonly Route[]
  readonly byId: ReadonlyMap<string, Route>
  /** Returns the description of the API. It is made for the first request that needs it. */
  openapi(): Promise<JsonObject>
}

export const catalogueOf = (resources: readonly Resource[]): Catalogue => {
  const routes = routesOf(resources)
  let openapi: Promise<JsonObject> | undefined
  return {
    routes,
    byId: new Map(routes.map((route) => [route.operationId, route])),
    openapi: () => (openapi ??= openapiInTurns(routes, resources)),
  }
}
