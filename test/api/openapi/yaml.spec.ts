import { expect } from 'chai'
import fc from 'fast-check'
import { parse } from 'yaml'
import { yamlOf } from '../../../api/openapi/yaml.ts'
import { seedOfRun } from '../../support/random.ts'

describe('a document as YAML', () => {
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
      expect(parse(yamlOf(plain))).to.deep.equal(plain)
    }
    fc.assert(fc.property(documents, same), { seed: seedOfRun(), numRuns: 500 })
  })
})
