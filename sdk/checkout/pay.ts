import type { Action, Answer, Core } from '../checkout-port.ts'
import type { CheckoutError } from '../index.d.ts'
import { type Buyer, buyerIn } from './contact.ts'
import { type BankAnswer, type FollowDeps, follow, isInDoubt, type Outcome, refused } from './follow.ts'
import { type Cart, type Charge, type Priced, type Shown, sdkError, validationError } from './model.ts'
import type { Pricer } from './pricer.ts'
import type { Store } from './store.ts'

export interface PayRequest extends Buyer {
  readonly cart: Cart
  readonly shown: Shown
  readonly payment: { readonly token: string } | null
  readonly attempt: number
  /** Whether the buyer wants what they have just bought once more. */
  readonly again: boolean
}

export type Tokenized = { readonly token: string } | { readonly errors: readonly CheckoutError[] }

export interface PayDeps extends FollowDeps {
  readonly core: Core
  readonly store: Store
  readonly pricer: Pricer
  /** Has the newest addresses priced, and says whether what is to be filled in is; if not, shows the buyer where. */
  complete(form: HTMLFormElement): boolean
  /** Takes what the buyer entered into the gateway's field, in the task of their gesture, and returns what makes a token of it. */
  submit(): (buyer: Buyer, form: HTMLFormElement) => Promise<Tokenized>
  send(request: PayRequest): Promise<Answer<Charge & Partial<Priced>>>
  /** Asks the buyer whether they want once more what they have just bought. */
  askAgain(text: string): Promise<BankAnswer>
  /** Called just before a charge may begin. */
  beginning(): void
}

const CHANGED = validationError('totals_changed', 'The total has changed. Please look at it and pay again.')
const INCOMPLETE = validationError('incomplete', 'Please fill in what is marked.')
const NO_EMAIL = validationError('email_required', 'Please enter your e-mail address.', 'email')
const UNKNOWN = sdkError('unreachable', 'The payment could not be started. Nothing was charged. Please try again.')
const NO_FORM = sdkError('no_form', 'The button is not in a form, so nothing can be paid.')

/**
 * Pays for the cart, by numbered attempts: the next number is taken only after a known refusal, so that the server can tell a repetition
 * from a new attempt. Only the total that the buyer saw when they pressed the button is charged.
 */
export const createPayer = (deps: PayDeps) => {
  const { core, store, pricer } = deps
  let attempt = 1
  let again = false

  const send = async (request: PayRequest): Promise<Outcome> => {
    deps.beginning()
    const answer = await deps.send(request)
    if (!answer.ok && !isInDoubt(answer.error.code)) {
      const { state, version, payment_required = true, error } = answer
      if (error.code === 'bought_already') {
        again = (await deps.askAgain(error.message)) === 'approved'
        return again ? send({ ...request, again }) : refused([])
      }
      if (state && version !== undefined) store.commit({ state, version, payment_required })
      return error.code === 'abandoned' ? { end: 'abandoned' } : refused(refusalOf(error, state?.errors))
    }
    const outcome = await follow(answer, deps)
    if (outcome.end === 'refused') attempt += 1
    return outcome.end === 'unknown' ? refused([UNKNOWN]) : outcome
  }

  return async ({ form }: Pick<Action, 'form'>): Promise<Outcome> => {
    const seen = store.shown()
    store.report('payment', [])
    if (form === null) return refused([NO_FORM])
    if (!deps.complete(form)) return refused([INCOMPLETE])
    const buyer = buyerIn(core, form)
    if (buyer === undefined) return refused([NO_EMAIL])
    // Before anything is waited for: a gateway may open nothing later than in the task of the gesture.
    const taken = store.priced().payment_required ? deps.submit() : undefined
    const { email } = buyer.contact
    if (pricer.isStale() || pricer.cart().email !== email) void pricer.change((cart) => ({ ...cart, email }))
    await pricer.idle()
    const shown = store.shown()
    // What could not be priced is in the state's errors already.
    if (pricer.isStale() || store.state().line_items.length === 0) return refused([])
    if (!shown || (seen && shown.total !== seen.total)) return refused([CHANGED])
    const cart = pricer.cart()
    const paid = store.priced().payment_required ? await (taken ?? deps.submit())(buyer, form) : null
    if (paid && 'errors' in paid) return refused(paid.errors)
    if (pricer.isBusy() || store.shown()?.version !== shown.version) return refused([CHANGED])
    return send({ ...buyer, cart, shown, payment: paid, attempt, again })
  }
}

/** The reason why a request was refused, unless the new state has it already. */
const refusalOf = (
  { code, message }: { readonly code: string; readonly message: string },
  known: readonly CheckoutError[] = [],
): readonly CheckoutError[] => {
  const isKnown = known.some((error) => error.code === code || code === 'cart_invalid')
  return isKnown ? [] : [validationError(code, message)]
}
