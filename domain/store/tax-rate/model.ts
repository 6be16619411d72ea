import { Type } from 'typebox'
import { countryCode } from '../../addresses/public.ts'
import { field, problem } from '../../kernel/model/field.ts'
import { flag, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'

const FORM = /^\d{1,3}(\.\d{1,4})?$/

/** Percentage as a decimal, 0 to 100. */
const percent = field<string>(
  Type.String({ pattern: FORM.source }),
  { required: true, about: 'Such as 19 or 8.875' },
  (value) => {
    const decimal = typeof value === 'number' ? String(value) : value
    const isOne = typeof decimal === 'string' && FORM.test(decimal) && Number(decimal) <= 100
    return isOne ? { value: decimal } : problem('must be 0 to 100, with at most 4 decimals', 'invalid')
  },
  { sends: Type.Union([Type.Number({ minimum: 0, maximum: 100 }), Type.String({ pattern: FORM.source })]) },
)

/** Tax on sales to a country, or to one of its regions. */
export const taxRate = model('store/tax_rate', {
  attributes: {
    name: text({ required: true }),
    country: countryCode({ required: true }),
    region: text({ nullable: true, emptyIsNull: true, about: 'Code or name; null: all of the country' }),
    percent,
    on_shipping: flag({ initial: false, about: 'Whether it is on shipping as well' }),
  },
  events: {
    TaxRateSet: { creates: true },
    TaxRateChanged: { changes: 'rest' },
    TaxRateRemoved: { ends: true },
  },
  unique: [{ attributes: ['name'], says: 'Name has already been taken' }],
})
