import { list, show, workspace } from '../../resources/operations.ts'
import { nullableString } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { changes, creates, removes } from '../../resources/writes.ts'
import { keyFields, sealKeys } from './keys.ts'
import { gatewayAccount, type SealedKey } from './model.ts'
import { gatewayAccounts } from './rules.ts'

const ACCOUNTS = '/workspaces/{workspace_id}/payments/gateway_accounts'
const ONE = '/payments/gateway_accounts/{id}'
const BEYOND = { beyondContract: true }

const last4 = (of: 'secret_key' | 'webhook_secret') => ({
  schema: nullableString,
  of: (record: { readonly [name in typeof of]: SealedKey | null }) => record[of]?.last4 ?? null,
})

/** Payments::GatewayAccount: account with a gateway, and its keys. Beyond the contract. */
export const gatewayAccountResource = serve(gatewayAccount, gatewayAccounts, {
  title: 'Payments::GatewayAccount',
  root: 'payments_gateway_account',
  category: 'store',
  under: workspace,
  view: { secret_key_last4: last4('secret_key'), webhook_secret_last4: last4('webhook_secret') },
  operations: {
    listPaymentsGatewayAccounts: list(ACCOUNTS, {
      ...BEYOND,
      summary: 'The accounts with payment gateways that a workspace charges by',
    }),
    createPaymentsGatewayAccounts: creates(ACCOUNTS, {
      consequence: 'decides where the money of buyers goes',
      ...BEYOND,
      summary: 'Adds an account with a payment gateway; its keys are kept sealed',
      input: keyFields,
      wanted: sealKeys,
    }),
    getPaymentsGatewayAccounts: show(ONE, {
      ...BEYOND,
      summary: 'An account with a payment gateway; of its keys the last four characters',
    }),
    updatePaymentsGatewayAccounts: changes(ONE, {
      consequence: 'decides where the money of buyers goes',
      ...BEYOND,
      summary: 'Changes an account with a payment gateway, or replaces its keys',
      input: keyFields,
      wanted: sealKeys,
    }),
    removePaymentsGatewayAccounts: removes(ONE, {
      ...BEYOND,
      summary: 'Takes an account away: nothing is charged or refunded by it any more',
    }),
  },
})
