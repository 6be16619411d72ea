import { decider } from '../../kernel/deciding.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Asked, rules } from '../../kernel/rules.ts'
import { endpoint } from './model.ts'

const FIXED = ['provider', 'live_mode'] as const

const fix = ({ before, after }: Asked<typeof endpoint>) => {
  const changed = before && FIXED.find((name) => before[name] !== after[name])
  return changed && refuse.invalid(`${changed} cannot be changed`, changed, 'immutable')
}

/** The rules of an endpoint for external purchases (rule book "External purchases"). */
export const endpoints = decider(endpoint, { rules: rules({ save: [fix] }) })
