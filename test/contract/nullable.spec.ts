import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { routesOf } from '../../api/routes.ts'
import { resources } from '../../domain/index.ts'
import { type Field, initialOf } from '../../domain/kernel/model/field.ts'
import { list, text } from '../../domain/kernel/model/fields.ts'
import { parseFields, requestSchema, sentSchema } from '../../domain/kernel/model/parse.ts'
import { publicIds } from '../../domain/kernel/values/public-ids.ts'
import type { WriteOperation } from '../../domain/resources/operation.ts'
import { bodyOf, type NullableProperty, nullableProperties } from '../support/nullable.ts'

const ids = publicIds((kind) => new TextEncoder().encode(kind.padEnd(64, 'x')))
const ajv = new Ajv2020({ strict: false })
const routes = new Map(routesOf(resources).map((route) => [route.operationId, route]))

const pairs = nullableProperties()

const fieldOf = ({ route, names: [name = ''] }: NullableProperty): Field | undefined => bodyOf(route).fields[name]

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** Returns the schemas at a path into a schema, through lists and alternatives. */
const schemasAt = (schema: Schema | undefined, names: readonly string[]): readonly Schema[] => {
  if (!schema) return []
  const inside = [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])]
  const deeper = inside.flatMap((one) => schemasAt(one, names))
  const [name, ...rest] = names
  return name === undefined ? [schema] : [...schemasAt(schema.properties?.[name], rest), ...deeper]
}

describe('null', () => {
  it('is documented for every property that the contract calls nullable', () => {
    const refused = pairs.filter(({ route, names }) => {
      const { fields, mode } = bodyOf(route)
      const schemas = schemasAt(requestSchema(fields, mode) as Schema, names)
      return !schemas.some((schema) => ajv.validate(schema, null))
    })
    expect(refused.map(({ about }) => about)).to.deep.equal([])
    expect(pairs.length).to.be.greaterThan(280)
  })

  it('is taken for each of them, and means the initial value', () => {
    const wrong = pairs
      .filter(({ names }) => names.length === 1)
      .flatMap((pair) => {
        const field = fieldOf(pair)
        const [name = ''] = pair.names
        if (!field) return [`${pair.about}: no such field`]
        const { values, details } = parseFields({ [name]: field }, { [name]: null }, bodyOf(pair.route).mode, { ids })
        const { message } = details[0] ?? {}
        if (message !== undefined) return [`${pair.about}: ${message}`]
        return JSON.stringify(values[name]) === JSON.stringify(initialOf(field))
          ? []
          : [`${pair.about}: ${values[name]}`]
      })
    expect(wrong).to.deep.equal([])
  })

  it('is refused for every other property, and not documented there, unless a default stands in for it', () => {
    const allowed = new Set(pairs.map(({ route, names }) => `${route.operationId} ${names[0]}`))
    const others = [...routes.values()].flatMap((route) => {
      const { body } = route.operation as WriteOperation
      return Object.entries(body?.fields ?? {}).flatMap(([name, field]) =>
        allowed.has(`${route.operationId} ${name}`) || field.nullable || field.immutable || field.default !== undefined
          ? []
          : [{ route, name, field }],
      )
    })
    for (const { route, name, field } of others) {
      const about = `${route.operationId} ${name}`
      const { details } = parseFields({ [name]: field }, { [name]: null }, bodyOf(route).mode, { ids })
      // A few fields say of null what the contract has them say of every wrong value.
      const own = field.wordsNull && field.parse(null, { ids })
      expect(details[0], about).to.include({ field: name, code: own && 'code' in own ? own.code : 'blank' })
      expect(ajv.validate(sentSchema(field), null), about).to.equal(false)
    }
    expect(others.length).to.be.greaterThan(100)
  })

  it('is one rule of all kinds of fields', () => {
    const fields = {
      color: text({ nullable: true, initial: 'red' }),
      names: list(text(), { nullable: true, initial: [] }),
      note: text({ nullable: true }),
      mood: text({ initial: 'calm' }),
    }
    const sent = { color: null, names: null, note: null, mood: null }
    for (const mode of ['create', 'change'] as const) {
      const { values, details } = parseFields(fields, sent, mode, { ids })
      expect(values).to.deep.equal({ color: 'red', names: [], note: null })
      expect(details.map(({ field }) => field)).to.deep.equal(['mood'])
    }
    expect(ajv.validate(fields.color.schema, null), 'in a response').to.equal(false)
  })
})
