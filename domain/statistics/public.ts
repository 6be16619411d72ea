export { type StatisticsRequest, statisticsAsked, statisticsQuery, timerangeQuery } from './asked.ts'
export { bucketsChanged, readCells } from './buckets.ts'
export { DAY_MS, within } from './cells.ts'
export {
  perEach,
  stepNumbers,
  stepSchema,
  summaryOf,
  summarySchema,
  timerangeOf,
  timerangeSchema,
} from './numbers.ts'
export { type ShownSplit, splitNumbers, splitSchema } from './split-numbers.ts'
export { outwardMinutes, type TotalsOfSteps, totalsOf } from './totals.ts'
export { type Window, windowAsked, windowOf } from './window.ts'
