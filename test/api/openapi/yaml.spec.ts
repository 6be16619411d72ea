import { expect } from 'chai'
import fc from 'fast-check'
import { parse } from 'yaml'
import { openapiOf } from '../../../api/openapi/document.ts'
import { yamlParts } from '../../../api/openapi/yaml.ts'
import { routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import { seedOfRun } from '../../support/random.ts'

describe('a document as YAML', () => {
  it('is made in parts, each a small one of the whole, so that others get their turns between them', () => {
    const sizes = [...yamlParts(openapiOf(routesOf(resources), resources))].map(({ length }) => length)
    const whole = sizes.reduce((sum, size) => sum + size, 0)
    expect(Math.max(...sizes)).to.be.below(whole / 50)
  })

  it('is read as what it was written from, by a package that knows the whole language', () => {
    const names = fc.oneof(fc.constantFrom('on', 'No', 'null', 'y', '200', '/a/{b}', '$ref', ''), fc.string())
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.boolean(),
          fc.constant(null),
        ),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(names, tie('value'), { maxKeys: 4 }),
      ),
    }))
    const documents = fc.dictionary(names, value, { minKeys: 1, maxKeys: 4 })
    const same = (document: object) => {
      const plain = JSON.parse(JSON.stringify(document)) as object
      expect(parse([...yamlParts(plain)].join(''))).to.deep.equal(plain)
    }
    fc.assert(fc.property(documents, same), { seed: seedOfRun(), numRuns: 500 })
  })
})
