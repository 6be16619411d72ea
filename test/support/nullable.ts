import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Route, routesOf } from '../../api/routes.ts'
import { resources } from '../../domain/index.ts'
import type { WriteOperation } from '../../domain/resources/operation.ts'

/** Properties of request bodies that the contract calls nullable: operation, path of the field, type. */
const NULLABLE = path.join(import.meta.dirname, '../../../test/fixtures/contract/nullable.txt')

/** A property of a request that the contract calls nullable. */
export interface NullableProperty {
  readonly route: Route
  readonly about: string
  /** Path of the property below the root of the body. */
  readonly names: readonly string[]
}

export const bodyOf = ({ operation }: Route): NonNullable<WriteOperation['body']> => {
  const { body } = operation as WriteOperation
  if (!body) throw new Error(`${operation.path} has no body`)
  return body
}

/** Returns the nullable properties of the operations that are served. */
export const nullableProperties = (): readonly NullableProperty[] => {
  const routes = new Map(routesOf(resources).map((route) => [route.operationId, route]))
  return readFileSync(NULLABLE, 'utf8')
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [operationId = '', where = ''] = line.split(' ')
      const route = routes.get(operationId)
      if (!route) return []
      const names = where.replaceAll('[]', '').split('.')
      return [{ route, about: `${operationId} ${where}`, names: bodyOf(route).root === null ? names : names.slice(1) }]
    })
}
