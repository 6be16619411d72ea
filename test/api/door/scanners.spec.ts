import { expect } from 'chai'
import { MAX_VALUES, parseJson } from '../../../api/http/json.ts'
import { routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import type { Field } from '../../../domain/kernel/model/field.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import type { WriteOperation } from '../../../domain/resources/operation.ts'
import { cpuMs } from '../../support/cpu-time.ts'
import { hostileTexts } from '../../support/hostile-texts.ts'
import { ids } from '../../support/projection.ts'
import { readCriteria, readToken, scanners, tokenOf, wideJson } from '../../support/scanners.ts'

/** Milliseconds that nothing may take. Generous for texts of this length: other suites use the same processors. */
const MOST_MS = 100
/** A quarter of the longest body, so that the suite is quick. What takes quadratic time takes far more than the limit even so. */
const LONGEST = 256 * 1024
/** Below this, growth cannot be measured. */
const NOISE_MS = 10
/** Highest growth of the time when the text becomes four times as long. Quadratic growth is 16. */
const MOST_GROWTH = 8
const BODY = 1024 * 1024

/** Returns what is wrong with the time that work on a text of this length takes, if anything. */
const slowness = (name: string, length: number, work: (length: number) => () => unknown): readonly string[] => {
  const ms = cpuMs(work(length), NOISE_MS)
  if (ms > MOST_MS) return [`${name}: ${ms.toFixed(0)} ms`]
  if (ms <= NOISE_MS) return []
  const quarter = cpuMs(work(Math.floor(length / 4)))
  return ms / Math.max(quarter, NOISE_MS / 4) > MOST_GROWTH
    ? [`${name}: ${quarter.toFixed(1)} ms for a quarter, ${ms.toFixed(1)} ms for all`]
    : []
}

/** Every field that clients send, in a body or a query string. */
const fields: readonly (readonly [string, Field])[] = routesOf(resources).flatMap(({ operation, operationId }) => {
  // What reads take of the query string, they take as it is sent.
  if (operation.kind === 'read') return []
  const { body, query = {} } = operation as WriteOperation
  return Object.entries({ ...body?.fields, ...query }).map(
    ([name, field]) => [`${operationId} ${name}`, field] as const,
  )
})

/** Every way to read a value: fields of several operations often share it. */
const parsers = new Map(fields.map(([name, field]) => [field.parse, name]))

describe('scanners of what clients send', () => {
  // Whatever is short for the processor is lost in the noise of a busy machine: what `parseJson` looks at is counted below.
  for (const { name, longest, scan } of scanners.filter((one) => one.name !== 'parseJson')) {
    it(`take time in proportion to the text: ${name}`, () => {
      const slow = hostileTexts.flatMap((text) =>
        slowness(text.name, Math.min(longest, LONGEST), (length) => {
          const made = text.of(length)
          return () => scan(made)
        }),
      )
      expect(slow).to.deep.equal([])
    })
  }

  it('take time in proportion to the text: every field of every operation', () => {
    expect(parsers.size).to.be.greaterThan(100)
    const texts = hostileTexts.filter(({ name }) => name.startsWith('"a') || name.startsWith('"1.'))
    const values = [...texts.map(({ of }) => of(LONGEST)), ...texts.map(({ of }) => of(250))]
    const slow = [...parsers].flatMap(([parse, name]) => {
      const ms = cpuMs(() => values.map((value) => parse(value, { ids })), MOST_MS)
      return ms > MOST_MS ? [`${name}: ${ms.toFixed(0)} ms for ${values.length} texts`] : []
    })
    expect(slow).to.deep.equal([])
  })

  it('take time in proportion to the length of lists: every field of every operation', () => {
    const lists = wideJson.map(({ of }) => JSON.parse(of(BODY, 10_000)) as unknown[])
    const keyed = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`aB${index}`, `${index}`]))
    const slow = [...parsers].flatMap(([parse, name]) => {
      const ms = cpuMs(() => [...lists, keyed].map((value) => parse(value, { ids })), MOST_MS)
      return ms > MOST_MS ? [`${name}: ${ms.toFixed(0)} ms`] : []
    })
    expect(slow).to.deep.equal([])
  })

  for (const { name, of } of wideJson) {
    it(`take time in proportion to the number of values: ${name}`, () => {
      const reading = [
        ['a body', parseAnything, (json: string) => json],
        ['criteria', readCriteria, (json: string) => json],
        ['a token', readToken, tokenOf],
      ] as const
      const slow = reading.flatMap(([what, read, form]) =>
        [MAX_VALUES / 4, BODY].flatMap((most) =>
          slowness(`${what} of ${most}`, BODY, (bytes) => {
            const text = form(of(bytes, most))
            return () => read(text)
          }),
        ),
      )
      expect(slow).to.deep.equal([])
    })
  }
})

const parseAnything = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch (error) {
    return error
  }
}

/** Counts the characters that are looked at meanwhile, one by one or in search of one. */
const looksOf = (work: () => unknown): number => {
  const { charCodeAt, indexOf } = String.prototype
  let looks = 0
  String.prototype.charCodeAt = function (at) {
    looks++
    return charCodeAt.call(this, at)
  }
  String.prototype.indexOf = function (wanted, from = 0) {
    const found = indexOf.call(this, wanted, from)
    looks += (found < 0 ? this.length : found) - from + 1
    return found
  }
  try {
    work()
  } finally {
    Object.assign(String.prototype, { charCodeAt, indexOf })
  }
  return looks
}

describe('JSON that clients send', () => {
  it('is looked at a few times over before it is parsed, whatever it holds', () => {
    for (const { name, of } of hostileTexts) {
      const text = of(LONGEST)
      expect(
        looksOf(() => parseAnything(text)),
        name,
      ).to.be.at.most(4 * text.length + 100)
    }
    // A search that begins anew at each quotation mark would be seen.
    const quotes = '"'.repeat(1000)
    expect(looksOf(() => [...quotes].map((_, at) => quotes.indexOf('x', at)))).to.be.greaterThan(4 * 1000 + 100)
  })

  const refusalOf = (text: string): string | undefined => {
    const result = parseAnything(text)
    return result instanceof Refusal ? `${result.kind}: ${result.message}` : undefined
  }

  it('has a highest depth and a highest number of values', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    const long = (items: number) => `[${Array.from({ length: items }, () => '1').join(',')}]`
    expect(refusalOf(nested(32))).to.equal(undefined)
    expect(refusalOf(nested(33))).to.equal('malformed: HTTP body is nested more than 32 levels deep')
    expect(refusalOf(nested(500_000))).to.match(/nested more than/)
    expect(refusalOf(long(MAX_VALUES - 1))).to.equal(undefined)
    expect(refusalOf(long(MAX_VALUES))).to.equal('malformed: HTTP body has more than 20000 values')
    expect(refusalOf(`[${'{},'.repeat(10_001)}1]`)).to.match(/more than 20000 values/)
  })

  it('may have any text in its strings', () => {
    const texts = ['[[{'.repeat(20_000), ',"\\'.repeat(20_000), '\\', '"', '\\"[', ' { ']
    for (const text of texts) expect(parseAnything(JSON.stringify({ [text]: text }))).to.deep.equal({ [text]: text })
    for (const text of ['', '{', '"', '"\\', '[1,]', '{"a"}', '\\"', 'nul'])
      expect(refusalOf(text)).to.equal('malformed: HTTP body must be valid JSON')
  })
})
