/**
 * Prints for every scanner of text from outside the milliseconds of processor time that the worst text of the longest length takes. Nothing that a
 * client sends may hold the event loop for more than 50 ms. Run with `node dist/bench/programs/scanners.js`.
 */
import { MAX_VALUES, parseJson } from '../../api/http/json.ts'
import { cpuMs } from '../../test/support/cpu-time.ts'
import { hostileTexts } from '../../test/support/hostile-texts.ts'
import { readCriteria, readToken, scanners, tokenOf, wideJson } from '../../test/support/scanners.ts'

interface Worst {
  readonly name: string
  readonly ms: number
  readonly text: string
}

const BODY = 1024 * 1024
/** Longest time that is no finding, in milliseconds. */
const QUICK_MS = 1

const worstOf = (name: string, works: readonly (readonly [text: string, work: () => unknown])[]): Worst =>
  works
    .map(([text, work]) => ({ name, text, ms: cpuMs(work, QUICK_MS) }))
    .reduce((worst, one) => (one.ms > worst.ms ? one : worst))

const texts = scanners.map(({ name, longest, scan }) =>
  worstOf(
    name,
    hostileTexts.map((text) => {
      const made = text.of(longest)
      return [text.name, () => scan(made)] as const
    }),
  ),
)

const read = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch (error) {
    return error
  }
}

const lists = (
  [
    ['JSON', read],
    ['JSON of criteria', readCriteria],
    ['token of criteria', (json: string) => readToken(tokenOf(json))],
  ] as const
).map(([name, reading]) =>
  worstOf(
    name,
    wideJson.flatMap((json) =>
      [MAX_VALUES / 4, MAX_VALUES / 2, BODY].map((most) => {
        const made = json.of(BODY, most)
        return [`${json.name}, ${most}`, () => reading(made)] as const
      }),
    ),
  ),
)

for (const { name, ms, text } of [...texts, ...lists].sort((a, b) => b.ms - a.ms))
  process.stdout.write(`${ms.toFixed(1).padStart(8)} ms  ${name.padEnd(28)} ${text}\n`)
