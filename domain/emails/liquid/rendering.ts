import { type Context, type Emitter, type FilterImplOptions, toValue } from 'liquidjs'
import type { Budget } from './budget.ts'
import { Decimal } from './numbers.ts'

/** What a filter does with its value and its arguments. */
export type Handler = Extract<FilterImplOptions, (...args: never[]) => unknown>

const RENDERING = 'millrace'

/** What is the same in all parts of a mail. */
export interface Rendering {
  readonly budget: Budget
  /** What `now` and `today` mean to the filter `date`. */
  readonly now: number
  /** Zone in which `date` shows instants: a name of the tz database. */
  readonly timeZone: string
}

export const enter = (context: Context, rendering: Rendering): void => {
  context.setRegister(RENDERING, rendering)
}

/** Returns the rendering that a filter or tag is part of. */
export const renderingOf = (context: Context): Rendering => {
  const rendering = context.getRegister<Rendering | undefined>(RENDERING)
  if (!rendering) throw new Error('a filter ran outside a rendering')
  return rendering
}

export const budgetOf = (context: Context): Budget => renderingOf(context).budget

/** Collects what a template writes, within the budget. */
export class Output implements Emitter {
  buffer = ''
  readonly #budget: Budget

  constructor(budget: Budget) {
    this.#budget = budget
  }

  write(value: unknown): void {
    if (value === undefined || value === null) return
    this.#budget.handle(value)
    this.buffer += asText(value)
    this.#budget.hold(this.buffer)
  }
}

/** Text of a value, as Liquid writes it. What has no text, such as a whole contact, is nothing. */
export const asText = (given: unknown): string => {
  const value: unknown = toValue(given)
  if (Array.isArray(value)) return value.map(asText).join('')
  if (value instanceof Decimal) return String(value)
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value)
}
