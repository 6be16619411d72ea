import type { Core } from '../checkout-port.ts'
import type { CheckoutState } from '../index.d.ts'
import { createFieldMount } from './field-mount.ts'
import { FIELD_STATES, refusalIn } from './field-states.ts'
import type { BankAnswer, FollowDeps } from './follow.ts'
import type { CreateField, GatewayField, Tokenize } from './gateways/gateway.ts'
import { sdkError } from './model.ts'
import { createPaymentBox } from './page/payment-box.ts'
import type { Store } from './store.ts'

/** Fields of the gateways, each a chunk of its own, as the question of a bank is: most buyers are never asked. */
const FIELDS = {
  simulator: async () => (await import('./gateways/simulator.ts')).createField,
  stripe: async () => (await import('./gateways/stripe.ts')).createField,
  payments_ai: async () => (await import('./gateways/framepay.ts')).createField,
} satisfies Record<string, () => Promise<CreateField>>

const NO_QUESTION = 'The question of your bank could not be loaded. Please load this page again.'
const NO_ANSWER = sdkError('gateway_failed', 'The payment form did not answer. Please try again.')

const createFieldLoader = (core: Core, loaded: (field: GatewayField) => void): (() => Promise<GatewayField>) => {
  const { checkout } = core.init
  let field: Promise<GatewayField> | undefined
  const load = async (): Promise<GatewayField> => {
    if (!checkout) throw new Error('The page has no checkout')
    const script = 'script' in checkout && typeof checkout.script === 'string' ? checkout.script : undefined
    const createField = await FIELDS[checkout.gateway]()
    const created = createField({ core, key: checkout.key ?? '', script })
    loaded(created)
    return created
  }
  return () => {
    field ??= load().catch((error: unknown) => {
      field = undefined
      throw error
    })
    return field
  }
}

/** Makes a token, whatever the script of a gateway does. */
const safely =
  (tokenize: Tokenize): Tokenize =>
  (details) =>
    tokenize(details).catch(() => ({ errors: [NO_ANSWER] }))

/**
 * The `payment-method` mount. What the gateway needs is loaded when the mount appears; how it stands is said in the mount and in the state, as
 * `FIELD_STATES` has it.
 */
export const createPayment = (core: Core, store: Store) => {
  let field: GatewayField | undefined
  const fieldOf = createFieldLoader(core, (loaded) => {
    field = loaded
    loaded.update(store.priced().state.totals)
  })
  let place: HTMLElement | undefined
  const box = createPaymentBox(core.host.document, () => mount.begin())
  const mount = createFieldMount({
    core,
    fieldOf,
    place: box.field,
    show(state) {
      box.showField(FIELD_STATES[state])
      store.report('gateway', FIELD_STATES[state].errors)
    },
  })
  const submit = (): Tokenize => {
    const ready = mount.ready()
    if (ready) return safely(ready.submit())
    return async (details) => {
      await mount.decided()
      // What keeps the buyer from paying is in the state already.
      return mount.ready() ? submit()(details) : { errors: refusalIn(mount.state()) }
    }
  }
  const unmount = () => {
    mount.end()
    box.element.remove()
  }

  return {
    /** Puts the field into the mount that the page has now. A mount that is only moved takes its field along. */
    scan() {
      const [now] = core.elements('payment-method')
      if (now === place) return
      place = now
      if (!now) return unmount()
      now.append(box.element)
      mount.begin()
    },
    /** Keeps the gateway's amount in step, hides its field while nothing is to be paid, and shows what is wrong. */
    show({ totals, line_items, errors }: CheckoutState) {
      box.show(line_items.length === 0 || store.priced().payment_required)
      box.showErrors(errors)
      field?.update(totals)
    },
    say: box.say,
    submit,
    async authenticate(...question: Parameters<FollowDeps['authenticate']>): Promise<BankAnswer> {
      try {
        const { createBank } = await import('./bank.ts')
        return await createBank({ core, fieldOf, say: box.say })(...question)
      } catch {
        box.say(NO_QUESTION)
        return 'unanswered'
      }
    },
    dispose: unmount,
  }
}

export type Payment = ReturnType<typeof createPayment>
