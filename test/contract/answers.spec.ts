import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import { openapiOf } from '../../api/openapi/document.ts'
import { routesOf } from '../../api/routes.ts'
import { resources } from '../../domain/index.ts'

/** The contract's answers that are one object: operation, status, and the paths of the fields. Fields of a root follow it, behind a dot. */
const ANSWERS = path.join(import.meta.dirname, '../../../test/fixtures/contract/answers.txt')

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
}

interface Served {
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly 'application/json': { schema: Schema } } }>
  >
}

describe('answers', () => {
  const routes = routesOf(resources)
  const document = openapiOf(routes, resources) as unknown as {
    paths: Record<string, Record<string, Served>>
    components: { schemas: Record<string, Schema> }
  }
  const resolved = (schema: Schema): Schema =>
    schema.$ref ? resolved(document.components.schemas[schema.$ref.slice('#/components/schemas/'.length)]!) : schema
  const has = (schema: Schema | undefined, [name, ...inner]: readonly string[]): boolean => {
    if (schema === undefined) return false
    if (name === undefined) return true
    const { properties, anyOf = [] } = resolved(schema)
    return has(properties?.[name], inner) || anyOf.some((one) => has(one, [name, ...inner]))
  }

  it('have the fields that the contract says, below their roots', () => {
    const served = new Map(routes.map((route) => [route.operationId, route]))
    let checked = 0
    const wrong = readFileSync(ANSWERS, 'utf8')
      .trim()
      .split('\n')
      .flatMap((line) => {
        const [operationId = '', status = '', ...fields] = line.split(' ')
        const route = served.get(operationId)
        if (!route) return []
        const { responses } = document.paths[`/api/v2${route.path}`]![route.method.toLowerCase()]!
        const schema = responses[status]?.content?.['application/json'].schema
        checked += fields.length
        return fields.flatMap((field) => (has(schema, field.split('.')) ? [] : `${operationId} ${status} ${field}`))
      })
    expect(wrong).to.deep.equal([])
    expect(checked).to.be.greaterThan(1000)
  })
})
