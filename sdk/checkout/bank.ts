import type { Core } from '../checkout-port.ts'
import { wait } from './calls.ts'
import { PATIENCE } from './field-states.ts'
import type { FollowDeps } from './follow.ts'
import type { GatewayField } from './gateways/gateway.ts'
import { askBuyer } from './page/bank-dialog.ts'

export interface BankDeps {
  readonly core: Core
  fieldOf(): Promise<GatewayField>
  /** Tells the buyer what goes on. */
  say(text: string): void
}

const LOADING = 'Your bank asks you to confirm the payment. Loading its question…'
const NOT_ASKED = {
  title: 'Your bank asks',
  text: 'The question of your bank could not be loaded. The payment still waits for your answer.',
  accept: 'Try again',
  cancel: 'Cancel the payment',
}

/**
 * Lets the buyer answer their bank, also where the page has no payment field: after a reload, or on an offer. What that needs is loaded. Where it
 * cannot be had the buyer says how it goes on, and nothing is refused in their name.
 */
export const createBank = ({ core, fieldOf, say }: BankDeps): FollowDeps['authenticate'] => {
  /** Resolves with the field when it can ask, late or not; rejects when it cannot. */
  const loaded = async (): Promise<GatewayField> => {
    const field = await fieldOf()
    await field.script.load()
    return field
  }
  return async (action, ask) => {
    for (;;) {
      const loading = loaded()
      const late = wait(core.host, PATIENCE).then(() => undefined)
      say(LOADING)
      const field = await Promise.race([loading, late]).catch(() => undefined)
      say('')
      if (core.signal.aborted) return 'unanswered'
      const answer = await field
        ?.authenticate(action, (question) => askBuyer(core, question, ask))
        .catch(() => undefined)
      if (answer !== undefined) return answer
      // What is late goes on by itself when it comes.
      const later = field ? undefined : loading
      const choice = await askBuyer(core, NOT_ASKED, ask, later)
      if (choice !== 'approved') return choice
    }
  }
}
