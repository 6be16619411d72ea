import {
  type Context,
  defaultOperators,
  Liquid,
  type Operators,
  Parser,
  type Template,
  Token,
  type TopLevelToken,
  Value,
} from 'liquidjs'
import { LRUCache } from 'lru-cache'
import { outputEscape, setFilters } from './filters.ts'
import { asDecimal } from './numbers.ts'
import { budgetOf } from './rendering.ts'
import { setTags } from './tags.ts'

/** Tags and outputs of one text. */
const MOST_TAGS = 1_000

/** Characters inside the tags and outputs of one text. */
const MOST_MARKUP = 30_000

/** Tags inside one another. */
const DEEPEST = 50

/** Characters of the texts that stay parsed. */
const CACHED = 10_000_000

/** The text is no Liquid. Its message says why. */
export class LiquidInvalid extends Error {}

/** A parsed text, to be rendered by the engine that parsed it. */
export interface Parsed {
  readonly engine: Liquid
  readonly templates: Template[]
}

/** Keeps of numbers that they are written with a point, as in `divided_by: 2.0`: what is counted with them has one, too. */
const keepPoints = ({ initial, filters }: Value): void => {
  const tokens = [...initial.postfix, ...filters.flatMap(({ args }) => args.flat())]
  for (const token of tokens) {
    if (!(token instanceof Token) || !('content' in token) || typeof token.content !== 'number') continue
    if (token.getText().includes('.')) token.content = asDecimal(token.content)
  }
}

/** Parser that bounds how many tags there are, and how deep. */
class BoundedParser extends Parser {
  #depth = 0
  #tokens = 0

  override parseToken(token: TopLevelToken, rest: TopLevelToken[]): ReturnType<Parser['parseToken']> {
    if (++this.#depth > DEEPEST) throw new LiquidInvalid(`Nesting too deep: at most ${DEEPEST} levels`)
    if (++this.#tokens > 2 * MOST_TAGS + 1) throw new LiquidInvalid(`Too many tags: at most ${MOST_TAGS}`)
    const parsed = super.parseToken(token, rest)
    const values = 'arguments' in parsed ? (parsed.arguments?.() ?? []) : []
    for (const value of values) if (value instanceof Value) keepPoints(value)
    this.#depth--
    return parsed
  }
}

/** Comparisons, within the budget. */
const counted = (): Operators =>
  Object.fromEntries(
    Object.entries(defaultOperators).map(([name, operator]) => [
      name,
      // `not` has one operand, and the context in the place of the second.
      name === 'not'
        ? operator
        : (left: unknown, right: unknown, context: Context) => {
            const budget = budgetOf(context)
            budget.handle(left)
            budget.handle(right)
            return operator(left, right, context)
          },
    ]),
  )

const engineOf = (escapes: boolean): Liquid => {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: false,
    locale: 'en-US',
    timezoneOffset: 'UTC',
    operators: counted(),
    ...(escapes && { outputEscape }),
  })
  setFilters(engine, escapes)
  setTags(engine)
  return engine
}

/** Words of a refusal, without the place, which a mail's author sees in no editor. */
const reasonOf = (error: unknown): string => {
  const first = error instanceof Error ? (error.message.split('\n')[0] ?? '').replace(/, line:\d+, col:\d+$/, '') : ''
  const open = /^tag \{%-?\s*(\w+).*not closed$/.exec(first)?.[1]
  if (open) return `'${open}' tag was never closed`
  const unknown = /^tag "(.*)" not found$/.exec(first)?.[1]
  if (unknown !== undefined) return `Unknown tag '${unknown}'`
  const filter = /^undefined filter: (.*)$/.exec(first)?.[1]
  return filter === undefined ? first : `Unknown filter '${filter}'`
}

const refuseHuge = (text: string): void => {
  const marks = text.match(/\{[{%]/g)?.length ?? 0
  if (marks > MOST_TAGS) throw new LiquidInvalid(`Too many tags: at most ${MOST_TAGS}`)
  let markup = 0
  for (let at = text.search(/\{[{%]/); at >= 0 && markup <= MOST_MARKUP; ) {
    const end = text.indexOf(text[at + 1] === '{' ? '}}' : '%}', at + 2)
    markup += (end < 0 ? text.length : end) - at
    const next = end < 0 ? -1 : text.slice(end).search(/\{[{%]/)
    at = next < 0 ? -1 : end + next
  }
  if (markup > MOST_MARKUP) throw new LiquidInvalid(`Too much within tags: at most ${MOST_MARKUP} characters`)
}

const parserFor = (escapes: boolean): ((text: string) => Parsed) => {
  const engine = engineOf(escapes)
  const cache = new LRUCache<string, Parsed>({ maxSize: CACHED, sizeCalculation: (_, text) => text.length + 1 })
  return (text) => {
    const cached = cache.get(text)
    if (cached) return cached
    try {
      refuseHuge(text)
      const parsed = { engine, templates: new BoundedParser(engine).parse(text) }
      cache.set(text, parsed)
      return parsed
    } catch (error) {
      throw new LiquidInvalid(`Liquid syntax error: ${reasonOf(error)}`)
    }
  }
}

/** Parses a text whose values are escaped where it writes them. @throws {LiquidInvalid} */
export const parseHtml = parserFor(true)

/** Parses a text whose values stay as they are. @throws {LiquidInvalid} */
export const parsePlain = parserFor(false)

/** Says why a text is no Liquid: `Liquid syntax error: …`. */
export const checkLiquid = (text: string): string | undefined => {
  try {
    parsePlain(text)
    return undefined
  } catch (error) {
    if (error instanceof LiquidInvalid) return error.message
    throw error
  }
}
