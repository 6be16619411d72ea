export { statisticsAsked, statisticsQuery } from './asked.ts'
export { stepNumbers, stepSchema, summaryOf, summarySchema, timerangeOf, timerangeSchema } from './numbers.ts'
export { totalsOf } from './totals.ts'
