import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { humanize } from '../../kernel/model/parse.ts'
import { type Detail, refuse } from '../../kernel/values/refusal.ts'
import { UNDER_WAY } from '../../resources/process/status.ts'
import { gatewayAccount } from './model.ts'

const blank = (field: string, name: string): Detail => ({ field, code: 'blank', message: `${name} can't be blank` })

const present = (field: string, name: string): Detail => ({
  field,
  code: 'present',
  message: `${name} must be blank for a simulator`,
})

/**
 * A simulator takes no keys and no live mode. Every other provider needs a secret key, and payments_ai its organization
 * and website.
 */
const fits = ({ after }: DecisionContext<typeof gatewayAccount>) => {
  const { provider, live_mode, secret_key, webhook_secret, external_organization_id, external_website_id } = after
  const problems: Detail[] = []
  if (provider === 'simulator') {
    if (live_mode)
      problems.push({ field: 'live_mode', code: 'invalid', message: 'Live mode must be false for a simulator' })
    if (secret_key) problems.push(present('secret_key', 'Secret key'))
    if (webhook_secret) problems.push(present('webhook_secret', 'Webhook secret'))
  } else if (!secret_key) problems.push(blank('secret_key', 'Secret key'))
  if (provider === 'payments_ai') {
    if (!external_organization_id) problems.push(blank('external_organization_id', 'External organization'))
    if (!external_website_id) problems.push(blank('external_website_id', 'External website'))
  }
  return problems.length > 0 ? refuse.invalidFields(problems) : undefined
}

/** Fixed after creation: charges and refunds stay with their provider. Sending the same value is no change. */
const FIXED = ['provider', 'live_mode'] as const

const fix = ({ before, after }: DecisionContext<typeof gatewayAccount>) => {
  const problems = FIXED.filter((field) => before && before[field] !== after[field]).map((field) => ({
    field,
    code: 'immutable',
    message: `${humanize(field)} cannot be changed`,
  }))
  return problems.length > 0 ? refuse.invalidFields(problems) : undefined
}

/** Whether the account will still be charged: by an active subscription or a checkout in progress. */
const isNeeded = async (
  { act, id }: DecisionContext<typeof gatewayAccount>,
  { documents }: Reader,
): Promise<boolean> => {
  if (act !== 'remove') return false
  const orders = await documents.find('order', {
    where: { gateway_account_id: id, service_status: 'active' },
    limit: 1,
  })
  if (orders.length > 0) return true
  const inProgress = { gateway_account_id: id, status: { $in: UNDER_WAY } }
  return (await documents.find('orders/checkout', { where: inProgress, limit: 1 })).length > 0
}

const preventRemoval = (_: ActContext<typeof gatewayAccount>, needed: boolean) =>
  needed
    ? refuse.invalid('An account that orders are going to be charged over cannot be removed', 'base', 'occupied')
    : undefined

/** Rules of an account with a gateway. */
export const gatewayAccounts = decider(gatewayAccount, {
  rules: rules(gatewayAccount, { loadFacts: isNeeded, save: [fix, fits], preventRemoval }),
})
