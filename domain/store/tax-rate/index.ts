import { regionIn } from '../../addresses/public.ts'
import { decider } from '../../kernel/decide/decider.ts'
import { type DecisionContext, rules } from '../../kernel/decide/rules.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { crud } from '../../resources/crud.ts'
import { byId, textFilter, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { taxRate } from './model.ts'

const RATES = '/workspaces/{workspace_id}/tax_rates'

const upperCased = (code: string): string => code.toUpperCase()

/** Replaces a region by its code. Refuses one that is not of the country. */
const place = ({ after: { country, region } }: DecisionContext<typeof taxRate>) => {
  if (region === null) return undefined
  const found = regionIn(country, region)
  return found ? { region: found.code } : refuse.invalid('Region is not one of the country', 'region', 'inclusion')
}

const taxRates = decider(taxRate, { rules: rules(taxRate, { save: [place] }) })

/** Store::TaxRate: beyond the contract, which has no way to configure taxes. */
export const taxRateResource = serve(taxRate, taxRates, {
  title: 'Store::TaxRate',
  root: 'tax_rate',
  category: 'store',
  under: workspace,
  operations: crud('TaxRates', RATES, '/tax_rates/{id}', {
    beyondContract: true,
    create: { consequence: 'changes what buyers pay' },
    change: { consequence: 'changes what buyers pay' },
    list: {
      filters: { id: byId, country: { ...textFilter('country'), keptAs: upperCased } },
    },
  }),
})
