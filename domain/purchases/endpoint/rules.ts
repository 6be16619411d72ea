import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { DELIVERY } from '../providers.ts'
import { endpoint } from './model.ts'

type Endpoint = DecisionContext<typeof endpoint>

const loadFacts = async ({ act, id }: Endpoint, { documents }: Reader) => {
  if (act !== 'remove') return { isUsed: false }
  const [first] = await documents.find(DELIVERY, { where: { external_purchase_endpoint_id: id }, limit: 1 })
  return { isUsed: first !== undefined }
}
type Facts = { readonly isUsed: boolean }

const FIXED = ['provider', 'live_mode'] as const

const fix = ({ before, after }: Endpoint) => {
  const changed = before && FIXED.find((name) => before[name] !== after[name])
  return changed && refuse.invalid(`${changed} cannot be changed`, changed, 'immutable')
}

const preventRemoval = (_: ActContext<typeof endpoint>, { isUsed }: Facts) =>
  isUsed
    ? refuse.invalid('Endpoint cannot be deleted because it has received events that are kept', 'base', 'in_use')
    : undefined

/** Rules of an endpoint for external purchases. */
export const endpoints = decider(endpoint, { rules: rules(endpoint, { loadFacts, save: [fix], preventRemoval }) })
