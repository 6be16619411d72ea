export { type StatisticsRequest, statisticsAsked, statisticsQuery } from './asked.ts'
export { stepNumbers, stepSchema, summaryOf, summarySchema, timerangeOf, timerangeSchema } from './numbers.ts'
export { type ShownSplit, splitNumbers, splitSchema } from './split-numbers.ts'
export { type TotalsOfSteps, totalsOf } from './totals.ts'
