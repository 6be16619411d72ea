import { Context, toValueSync } from 'liquidjs'
import { charactersIn } from '../../kernel/values/characters.ts'
import { Budget, BudgetSpent } from './budget.ts'
import { LiquidInvalid, type Parsed, parseHtml, parsePlain } from './parse.ts'
import { enter, Output, type Rendering } from './rendering.ts'

/** Whether texts fail for what they are, or only with some values. */
export type FailsBy = 'text' | 'value'

/** A text could not be rendered with these values. Its message holds none of them. */
export class LiquidFailed extends Error {
  readonly by: FailsBy
  /** Name of the text, where several are rendered. */
  readonly part: string | undefined

  constructor(message: string, by: FailsBy, part?: string) {
    super(message)
    this.by = by
    this.part = part
  }
}

/** Values that templates may read. */
export type LiquidValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly LiquidValue[]
  | { readonly [name: string]: LiquidValue }

/** What the parts of a mail are rendered with. */
export interface LiquidOptions {
  readonly values: { readonly [name: string]: LiquidValue }
  /** What `'now' | date` shows. */
  readonly now: number
  /** Zone in which `date` shows instants: a name of the tz database. */
  readonly timeZone: string
}

/** Renders the parts of one mail. They share one budget. @throws {LiquidFailed} */
export interface MailLiquid {
  /** Renders HTML. Values are escaped, unless the filter `raw` says otherwise. */
  html(text: string): string
  /** Renders what is no HTML: a subject, a plain text. */
  plain(text: string): string
  /** What is left for the parts, and for all that is made of them. */
  readonly budget: Budget
}

/** Copies plain data, without functions and accessors. */
const plainCopy = (value: unknown): unknown => {
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (Array.isArray(value)) return value.map(plainCopy)
  if (value === null || typeof value !== 'object') return value
  const properties = Object.entries(Object.getOwnPropertyDescriptors(value))
  return Object.fromEntries(properties.map(([name, { value: inner }]) => [name, plainCopy(inner)]))
}

const failureOf = (error: unknown): LiquidFailed => {
  const cause = error instanceof Error && 'originalError' in error ? error.originalError : error
  if (cause instanceof BudgetSpent) return new LiquidFailed(`Liquid error: ${cause.message}`, 'text')
  if (error instanceof LiquidInvalid) return new LiquidFailed(`Liquid error: ${error.message}`, 'text')
  return new LiquidFailed('Liquid error: a tag or filter cannot handle a value', 'value')
}

/** Context in which the size of a text is the number of its characters. */
class MailContext extends Context {
  override readProperty(...[of, key]: Parameters<Context['readProperty']>): unknown {
    return typeof of === 'string' && key === 'size' ? charactersIn(of) : super.readProperty(of, key)
  }
}

const renderWith = ({ engine, templates }: Parsed, values: object, rendering: Rendering): Output => {
  const { budget } = rendering
  // A copy for each part: `increment` writes into it.
  const scope = Object.assign(Object.create(null), values)
  const context = new MailContext(scope, engine.options, { sync: true }, { liquid: engine })
  context.memoryLimit.use = (size) => budget.make(size)
  context.renderLimit.check = () => budget.check()
  enter(context, rendering)
  const output = new Output(budget)
  toValueSync(engine.renderer.renderTemplates(templates, context, output))
  return output
}

/** Makes something of what was rendered. @throws {LiquidFailed} where it costs more than is left */
export const withinBudget = <T>(make: () => T): T => {
  try {
    return make()
  } catch (error) {
    throw error instanceof BudgetSpent ? failureOf(error) : error
  }
}

/** Prepares the rendering of one mail. */
export const mailLiquid = ({ values, now, timeZone }: LiquidOptions): MailLiquid => {
  const copy = Object(plainCopy(values))
  const budget = new Budget()
  const render = (parse: (text: string) => Parsed) => (text: string) => {
    try {
      return renderWith(parse(text), copy, { budget, now, timeZone }).buffer
    } catch (error) {
      throw failureOf(error)
    }
  }
  return { html: render(parseHtml), plain: render(parsePlain), budget }
}
