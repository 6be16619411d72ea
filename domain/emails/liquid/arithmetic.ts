import { toValueSync } from 'liquidjs'
import {
  absolute,
  ceiling,
  difference,
  type Exact,
  exactOf,
  floor,
  greater,
  lesser,
  numberOf,
  product,
  quotient,
  remainder,
  rounded,
  sum,
} from './numbers.ts'
import { budgetOf, type Handler } from './rendering.ts'

const ZERO = exactOf(0)

/** Work of counting with numbers, however long they are. */
const COUNTING = 400

const ofOne = (operation: (a: Exact) => Exact): Handler =>
  function (value) {
    budgetOf(this.context).use(COUNTING)
    return numberOf(operation(exactOf(value)))
  }

const ofTwo = (operation: (a: Exact, b: Exact) => Exact): Handler =>
  function (value, by) {
    budgetOf(this.context).use(COUNTING)
    return numberOf(operation(exactOf(value), exactOf(by)))
  }

/** Sum of a list, or of what its entries have under a name. @param map the filter of that name */
export const summing = (map: Handler): Handler =>
  function (value, name) {
    const found: unknown = name === undefined ? value : toValueSync(map.call(this, value, name))
    const list: readonly unknown[] = Array.isArray(found) ? found.flat(Infinity) : [found]
    return numberOf(list.map(exactOf).reduce(sum, ZERO))
  }

/** Filters that count: exactly, with whole numbers and decimals. */
export const ARITHMETIC: Readonly<Record<string, Handler>> = {
  ...{ abs: ofOne(absolute), ceil: ofOne(ceiling), floor: ofOne(floor) },
  ...{ plus: ofTwo(sum), minus: ofTwo(difference), times: ofTwo(product) },
  ...{ divided_by: ofTwo(quotient), modulo: ofTwo(remainder), round: ofTwo(rounded) },
  ...{ at_least: ofTwo(greater), at_most: ofTwo(lesser) },
}
