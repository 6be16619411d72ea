import { expect } from 'chai'
import { routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import type { Field } from '../../../domain/kernel/model/field.ts'
import { parseFields } from '../../../domain/kernel/model/parse.ts'
import { publicIds } from '../../../domain/kernel/values/public-ids.ts'
import { type Tenant, testService } from '../../support/service.ts'

const ids = publicIds((kind) => new TextEncoder().encode(kind.padEnd(64, 'x')))
const sent = routesOf(resources).flatMap(({ operation, operationId }) =>
  Object.entries('body' in operation && operation.body ? operation.body.fields : {}).map(([name, field]) => ({
    about: `${operationId} ${name}`,
    name,
    field,
  })),
)

interface OneType {
  readonly type?: string
  readonly enum?: readonly unknown[]
}

/** Schema of a field's values other than null. */
const schemaOf = ({ schema }: Field): OneType => {
  const { anyOf } = schema as { readonly anyOf?: readonly OneType[] }
  return anyOf?.find(({ type }) => type !== 'null') ?? (schema as OneType)
}

const parsed = (name: string, field: Field, value: unknown) => {
  const { values, details } = parseFields({ [name]: field }, { [name]: value }, 'create', { ids })
  return details[0]?.code ?? values[name]
}

describe('fields of one kind, whatever operation has them', () => {
  let tenant: Tenant
  before(async () => {
    tenant = await (await testService()).tenant()
  })

  it('flags: booleans, also as text and as 1 and 0, and nothing else', () => {
    // Expiring a discount cannot be undone, so it takes the booleans themselves.
    const flags = sent.filter(({ name, field }) => schemaOf(field).type === 'boolean' && name !== 'expired')
    expect(flags.map(({ about }) => about)).to.include('performOrdersLineItemsChange prorate')
    for (const { about, name, field } of flags) {
      for (const value of [true, 'true', 1, '1']) expect(parsed(name, field, value), about).to.equal(true)
      for (const value of [false, 'false', 0, '0']) expect(parsed(name, field, value), about).to.equal(false)
      for (const value of [2, -1, 0.5, 'yes', ' 1', 'TRUE', [], {}])
        expect(parsed(name, field, value), `${about} ${JSON.stringify(value)}`).to.equal('type')
    }
  })

  it('choices that may be left open: blank text is no choice', () => {
    // What an operation takes as it was sent, it validates itself.
    const refuses = (field: Field) => 'problem' in field.parse('no such word', { ids })
    const open = sent.filter(({ field }) => field.nullable && schemaOf(field).enum && refuses(field))
    expect(open.map(({ about }) => about)).to.include('createProductsPrices payment_type')
    for (const { about, name, field } of open)
      for (const value of ['', ' \n']) expect(parsed(name, field, value), about).to.equal(null)
  })

  const PATHS = ['/', '/a', 'a', '/a/b/', '/naïve-日本', '/.well-known/a.b', '/a%20b%3F', "/~(a)_'b'"]
  const NO_PATHS = [
    ...['//', '//a', '/a//b', '/a?b', '/a#b', '/a b', '/a\tb', 'a\nb', '\\a', '/a\\b', 'https://example.com/a'],
    ...['..', '/..', '../a', '/a/..', '/a/../b', '/a..b', '.', './a', '/a/./b', '/a/.'],
    ...['/a\u0001', '/a\u007F', '/a\u0085b', '/a\u00A0b', '/a\u200Bb', '/a\u202Eb', '/a\u2028b', '/\uFEFFa'],
    ...['/%2e%2e/a', '/a%2Fb', '/a%5cb', '/a%00', '/a%0a', '/%zz', '/a%'],
  ]

  it('paths: nothing that ends or leaves a path, and nothing unseen', () => {
    const paths = sent.filter(({ name }) => name.endsWith('_path'))
    const creates = ['createPage', 'createProducts', 'updateProducts', 'createFunnel', 'createStores', 'updateStores']
    expect(paths.map(({ about }) => about)).to.include.members(creates.map((one) => `${one} current_path`))
    for (const { about, name, field } of paths) {
      for (const value of PATHS) expect(parsed(name, field, value), about).to.equal(value)
      expect(parsed(name, field, ' /a '), about).to.equal('/a')
      expect(parsed(name, field, ' '), about).to.equal(null)
      for (const value of NO_PATHS) expect(parsed(name, field, value), `${about} ${value}`).to.equal('invalid')
      expect(parsed(name, field, 'a'.repeat(240)), about).to.equal('a'.repeat(240))
      expect(parsed(name, field, 'a'.repeat(241)), about).to.equal('too_long')
    }
  })

  for (const [root, collection, member] of [
    ['page', 'pages', undefined],
    ['funnel', 'funnels', undefined],
    ['product', 'products', '/products'],
    ['store', 'stores', '/stores'],
  ] as const)
    it(`refuses what is no path, naming it, and changes nothing: ${root}`, async () => {
      const path = `/workspaces/${tenant.workspaceId}/${collection}`
      const made = await tenant.api.post(path, { [root]: { name: 'One', current_path: `/own-${root}` } })
      expect([made.status, made.body.current_path]).to.deep.equal([201, `/own-${root}`])
      const odd = { [root]: { name: 'Other', current_path: '/a/../b?c' } }
      const answers = [await tenant.api.post(path, odd)]
      if (member) answers.push(await tenant.api.put(`${member}/${made.body.id}`, odd))
      for (const { status, body } of answers)
        expect([status, body.details[0].field]).to.deep.equal([422, `${root}.current_path`])
      expect((await tenant.api.get(path)).body.map(({ name }: { name: string }) => name)).to.deep.equal(['One'])
    })
})
