import { Type } from 'typebox'
import {
  mailNumbers,
  performanceSchema,
  ratesOf,
  repeatedSends,
  revenueFields,
  revenueOf,
  shared,
} from '../../emails/public.ts'
import type { Counting } from './step-type.ts'

const schema = Type.Object({
  performance: performanceSchema('sends', 'recipients', 'failed'),
  revenue: Type.Object(revenueFields),
})

/** What the mails of a step brought in a window. A mail is counted when it is sent, and an open when it happens. */
export const mailCounts: Counting = {
  as: 'email',
  schema,
  async of(id, window, currency, read) {
    const [numbers, repeated] = await Promise.all([
      mailNumbers({ stepId: id }, window, currency, read),
      repeatedSends(id, window, read),
    ])
    const { sends, failed } = numbers.counts
    const recipients = sends - repeated
    return {
      performance: { sends, recipients, failed, ...shared(numbers), ...ratesOf(numbers, recipients) },
      revenue: revenueOf(numbers, recipients, currency),
    }
  },
}
