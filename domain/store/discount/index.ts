import { Type } from 'typebox'
import { field } from '../../kernel/model/field.ts'
import { moment, text } from '../../kernel/model/fields.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { byId, list, show, textFilter, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import type { Loader } from '../../resources/view-types.ts'
import { changes, creates, removes } from '../../resources/writes.ts'
import { discount, discountType, stateAt } from './model.ts'
import { discounts } from './rules.ts'

const DISCOUNTS = '/workspaces/{workspace_id}/discounts'

const input = {
  currency: text({
    about: "ISO 4217; default: the workspace's",
    form: { test: /^[a-zA-Z]{3}$/, says: 'must be a currency code of three letters' },
  }),
  apply_from: moment({ about: 'Default: now' }),
  type: discountType('type'),
}

const typed = ({ type, ...fields }: JsonObject): JsonObject =>
  type === undefined ? fields : { discount_type: type, ...fields }

const upperCased = (code: string): string => code.toUpperCase()

const stands = (state: ReturnType<typeof stateAt>) => ({
  schema: Type.Boolean(),
  of: (record: RecordOf<typeof discount>, load: Loader) =>
    stateAt(record, load.now(record.workspace_id ?? 0)) === state,
})

/** Discount: what a code takes off a price. */
export const discountResource = serve(discount, discounts, {
  title: 'Discount',
  root: 'discount',
  category: 'store',
  under: workspace,
  view: {
    redemptions_count: {
      schema: Type.Integer(),
      of: ({ id }, load) => load.count('discounts/redemption', 'redeemed_discount_id', id),
    },
    active: stands('active'),
    expired: stands('expired'),
    scheduled: stands('scheduled'),
  },
  operations: {
    listDiscounts: list(DISCOUNTS, {
      filters: {
        id: byId,
        code: { ...textFilter('code'), keptAs: upperCased },
        discount_type: textFilter('discount_type'),
        discount_method: textFilter('discount_method'),
        applies_to: textFilter('applies_to'),
      },
    }),
    createDiscounts: creates(DISCOUNTS, {
      consequence: 'lets buyers pay less',
      input,
      wanted: ({ fields, sent }: Pick<WriteInput, 'fields' | 'sent'>) =>
        'expired' in sent
          ? refuse.invalid(
              '`expired` is not a create field. Create the discount, then expire it with `PATCH { "discount": { "expired": true } }`.',
              'discount.expired',
              'unknown',
            )
          : typed(fields),
    }),
    getDiscounts: show('/discounts/{id}'),
    updateDiscounts: changes('/discounts/{id}', {
      consequence: 'changes what buyers pay',
      method: 'PATCH',
      input: {
        ...input,
        // Accepts only the booleans themselves: expiring cannot be undone.
        expired: field<boolean>(Type.Boolean(), { label: '`expired`', wordsNull: true }, (value) =>
          typeof value === 'boolean' ? { value } : { problem: 'must be true or false.', code: 'type' },
        ),
      },
      wanted: ({ fields }: Pick<WriteInput, 'fields'>) => typed(fields),
    }),
    removeDiscounts: removes('/discounts/{id}'),
  },
})
