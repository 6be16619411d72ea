import { type Access, PERSONAL_DATA_CATEGORY } from '../domain/kernel/values/scopes.ts'
import type { Operation } from '../domain/resources/operation.ts'
import type { Resource } from '../domain/resources/resource.ts'

/** Path that all operations begin with. */
export const PREFIX = '/api/v2'

/** Operation with everything that its handler needs. */
export interface Route extends Access {
  readonly operationId: string
  readonly method: string
  /** Other methods under which the same operation is served. */
  readonly alsoMethods: readonly string[]
  /** Below /api/v2. */
  readonly path: string
  readonly resource: Resource
  readonly operation: Operation
}

/** What reading personal data takes. */
const PERSONAL: Access = { category: PERSONAL_DATA_CATEGORY, level: 'read' }

const NO_QUERY = new URLSearchParams()

/** Returns what a request for a route takes: each of these. */
export const accessTo = ({ category, level, operation }: Route, query = NO_QUERY): readonly Access[] => {
  const by = operation.kind === 'read' ? operation.categoryBy : undefined
  const usual = { category: by?.categories[query.get(by.parameter) ?? ''] ?? category, level }
  // Writing includes reading.
  return operation.personal && usual.category !== PERSONAL.category ? [usual, PERSONAL] : [usual]
}

const TWINS: Readonly<Record<string, readonly string[]>> = { PUT: ['PATCH'], PATCH: ['PUT'] }

/** Returns every route of these resources. A change is served under both PUT and PATCH, although the contract has only one of them. */
export const routesOf = (resources: readonly Resource[]): readonly Route[] =>
  resources.flatMap((resource) =>
    Object.entries(resource.operations).map(([operationId, operation]) => ({
      operationId,
      method: operation.method,
      alsoMethods: TWINS[operation.method] ?? [],
      path: operation.path,
      resource: operation.kind === 'list' && operation.under ? { ...resource, under: operation.under } : resource,
      operation,
      category: operation.category ?? resource.category,
      level: operation.level ?? (operation.method === 'GET' ? 'read' : 'write'),
    })),
  )

/** Returns all problems of the declarations, so that they are found at start-up and not by a client. */
export const routeProblems = (routes: readonly Route[]): readonly string[] => {
  const problems: string[] = []
  const ids = new Set<string>()
  const shapes = new Map<string, string>()
  for (const { operationId, method, alsoMethods, path, operation, level } of routes) {
    if (level === 'write' && operation.consequence === undefined)
      problems.push(`${operationId} does not say what follows from it`)
    if (ids.has(operationId)) problems.push(`operation id ${operationId} is declared twice`)
    ids.add(operationId)
    for (const verb of [method, ...alsoMethods]) {
      const shape = `${verb} ${path.replace(/\{[^}]+\}/g, '{}')}`
      const other = shapes.get(shape)
      if (other) problems.push(`${shape} is claimed by ${other} and ${operationId}`)
      shapes.set(shape, operationId)
    }
  }
  return problems
}
