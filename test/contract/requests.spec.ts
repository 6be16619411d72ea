import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'chai'
import { openapiOf } from '../../api/openapi/document.ts'
import { routesOf } from '../../api/routes.ts'
import { resources } from '../../domain/index.ts'
import type { Field } from '../../domain/kernel/model/field.ts'
import { parseFields, sentSchema } from '../../domain/kernel/model/parse.ts'
import { EITHER_FORM, publicIds } from '../../domain/kernel/values/public-ids.ts'

const ajv = addFormats.default(new Ajv2020({ strict: false }))
const ids = publicIds((kind) => new TextEncoder().encode(kind.padEnd(64, 'x')))
const routes = routesOf(resources)

interface Sent {
  readonly name: string
  readonly field: Field
  readonly mode: 'create' | 'change'
}

const sent: readonly (Sent & { readonly operationId: string })[] = routes.flatMap(({ operation, operationId }) => {
  const body = 'body' in operation ? operation.body : undefined
  return Object.entries(body?.fields ?? {}).map(([name, field]) => ({ name, field, mode: body!.mode, operationId }))
})

const isDocumented = ({ field }: Sent, value: unknown): boolean => ajv.validate(sentSchema(field), value)

const isTaken = ({ name, field, mode }: Sent, value: unknown): boolean =>
  parseFields({ [name]: field }, { [name]: value }, mode, { ids }).details.length === 0

const VALUES: readonly unknown[] = [
  ...['', ' ', '\n', 'a', 'a b', 'x!', '-', 'a'.repeat(256), 'ada@example.com', 'ada@', '12.50', '1e3', 'UTC'],
  ...[0, -1, 7, 0.5, 101, true, null, [], [null], ['x!'], [7], Array(10_001).fill(7), {}, { a: 'b' }, { a: ['b'] }],
]

describe('what the document lets a client send', () => {
  it('is taken, field by field', () => {
    const wrong = sent
      // The list of time zone names is long, and grows.
      .filter(({ field, name }) => !field.immutable && name !== 'time_zone' && name !== 'tzid')
      .flatMap((one) =>
        VALUES.filter((value) => isDocumented(one, value) && !isTaken(one, value)).map(
          (value) => `${one.operationId} ${one.name} ${JSON.stringify(value)?.slice(0, 40)}`,
        ),
      )
    expect(wrong).to.deep.equal([])
  })

  it('are ids in either form wherever a record is named, and nothing else', () => {
    const named = sent.filter(({ field }) => field.refersTo !== undefined)
    expect(named).not.to.have.length(0)
    for (const one of named) {
      const inList = isDocumented(one, [7])
      const all = [7, '7', ids.of(one.field.refersTo!).encode(7), 'x!', 1.5, -1].map((id) => (inList ? [id] : id))
      const about = `${one.operationId} ${one.name}`
      expect(
        all.map((value) => isDocumented(one, value)),
        about,
      ).to.deep.equal([true, true, true, false, false, false])
      expect(
        all.map((value) => isTaken(one, value)),
        about,
      ).to.deep.equal([true, true, true, false, false, false])
    }
  })

  it('are integers in every answer', () => {
    for (const { name, view } of resources) expect(JSON.stringify(view.schema), name).not.to.include(EITHER_FORM)
  })

  it('are cursors that can be ids', () => {
    const { paths } = openapiOf(routes, resources) as unknown as {
      paths: Record<string, { get?: { parameters: { name: string; schema: { pattern: string } }[] } }>
    }
    const texts = ['', '17', 'aBcDeFgH', 'mail:contact-1@7', 'x!', '-1', ' ']
    let cursors = 0
    for (const { operation, path } of routes.filter(({ method }) => method === 'GET')) {
      const { parameters } = paths[`/api/v2${path}`]!.get!
      const cursor = parameters.find(({ name }) => name === 'after')
      if (!cursor) continue
      cursors++
      const matching = texts.filter((text) => new RegExp(cursor.schema.pattern).test(text))
      expect(matching).to.deep.equal(operation.kind === 'list' ? ['', '17', 'aBcDeFgH'] : ['', 'mail:contact-1@7'])
    }
    expect(cursors).to.be.greaterThan(0)
  })
})
