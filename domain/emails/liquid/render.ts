import { Context, TokenKind, toValueSync } from 'liquidjs'
import { Budget, BudgetSpent } from './budget.ts'
import { LiquidInvalid, type Parsed, parseHtml, parsePlain } from './parse.ts'
import { enter, Output, type Rendering } from './rendering.ts'

/** A text could not be rendered with these values. Its message holds none of them. */
export class LiquidFailed extends Error {}

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

/** A stretch of what a template made. */
export interface Piece {
  readonly text: string
  /** Whether an output of the template wrote it. */
  readonly isValue: boolean
}

/** Renders the parts of one mail. They share one budget. @throws {LiquidFailed} */
export interface MailLiquid {
  /** Renders HTML. Values are escaped, unless the filter `raw` says otherwise. */
  html(text: string): string
  /** Renders HTML in pieces, one for each output and for what stands between them. Where there are tags, all of it is one value. */
  htmlInPieces(text: string): readonly Piece[]
  /** Renders what is no HTML: a subject, a plain text. */
  plain(text: string): string
}

/** Copies plain data, without functions and accessors. */
const plainCopy = (value: unknown): unknown => {
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (Array.isArray(value)) return value.map(plainCopy)
  if (value === null || typeof value !== 'object') return value
  const properties = Object.entries(Object.getOwnPropertyDescriptors(value))
  return Object.fromEntries(properties.map(([name, { value: inner }]) => [name, plainCopy(inner)]))
}

const failureOf = (error: unknown): string => {
  const cause = error instanceof Error && 'originalError' in error ? error.originalError : error
  if (cause instanceof BudgetSpent) return cause.message
  if (error instanceof LiquidInvalid) return error.message
  return 'a tag or filter cannot handle a value'
}

const renderWith = ({ engine, templates }: Parsed, values: object, rendering: Rendering): Output => {
  const { budget } = rendering
  // A copy for each part: `increment` writes into it.
  const scope = Object.assign(Object.create(null), values)
  const context = new Context(scope, engine.options, { sync: true }, { liquid: engine })
  context.memoryLimit.use = (size) => budget.make(size)
  context.renderLimit.check = () => budget.check()
  enter(context, rendering)
  const output = new Output(budget)
  toValueSync(engine.renderer.renderTemplates(templates, context, output))
  return output
}

const piecesOf = ({ templates }: Parsed, { buffer, ends }: Output): readonly Piece[] => {
  const kinds = templates.map(({ token }) => token.kind)
  // Each of these writes once, in its turn. Tags do otherwise.
  if (!kinds.every((kind) => kind === TokenKind.HTML || kind === TokenKind.Output))
    return [{ text: buffer, isValue: true }]
  return kinds.map((kind, index) => ({
    text: buffer.slice(ends[index - 1] ?? 0, ends[index]),
    isValue: kind === TokenKind.Output,
  }))
}

/** Prepares the rendering of one mail. */
export const mailLiquid = ({ values, now, timeZone }: LiquidOptions): MailLiquid => {
  const copy = Object(plainCopy(values))
  const rendering = { budget: new Budget(), now, timeZone }
  const render =
    <T>(parse: (text: string) => Parsed, result: (parsed: Parsed, output: Output) => T) =>
    (text: string): T => {
      try {
        const parsed = parse(text)
        return result(parsed, renderWith(parsed, copy, rendering))
      } catch (error) {
        throw new LiquidFailed(`Liquid error: ${failureOf(error)}`)
      }
    }
  const whole = (_: Parsed, { buffer }: Output) => buffer
  return {
    html: render(parseHtml, whole),
    htmlInPieces: render(parseHtml, piecesOf),
    plain: render(parsePlain, whole),
  }
}
