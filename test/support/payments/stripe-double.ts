import { type Double, type DoubleRequest, openDouble, type Reply } from './double.ts'

export const STRIPE_KEY = 'sk_test_of_the_double'

interface Intent {
  readonly id: string
  readonly object: 'payment_intent'
  readonly amount: number
  readonly currency: string
  readonly customer: string
  readonly metadata: object
  readonly status: string
  readonly last_payment_error: object | null
}

interface Refund {
  readonly id: string
  readonly object: 'refund'
  readonly amount: number
  readonly payment_intent: string
  readonly metadata: object
  readonly status: 'succeeded'
}

export interface StripeDouble extends Double {
  /** Executed charges. */
  readonly charges: readonly Intent[]
  readonly refunds: readonly Refund[]
}

/** Decline codes by the token of the card. */
const DECLINES: Readonly<Record<string, { readonly code: string; readonly decline_code?: string }>> = {
  pm_declined: { code: 'card_declined' },
  pm_insufficient: { code: 'card_declined', decline_code: 'insufficient_funds' },
  pm_authentication: { code: 'authentication_required', decline_code: 'authentication_required' },
}

const failure = (status: number, type: string, more: object = {}): Reply => ({
  status,
  body: { error: { type, message: 'it is refused', ...more } },
})

/** The `metadata[key]=value` entries of a form. */
const metadataIn = (form: URLSearchParams): object =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) => {
      const [, key] = /^metadata\[(.+)\]$/.exec(name) ?? []
      return key === undefined ? [] : [[key, value]]
    }),
  )

const listOf = (data: readonly object[]): Reply => ({
  status: 200,
  body: { object: 'list', data: data.toReversed(), has_more: false },
})

/** The part of Stripe's payment API that its adapter uses. It records transactions and honours idempotency keys. */
export const openStripeDouble = async (): Promise<StripeDouble> => {
  const intents: Intent[] = []
  const refunds: Refund[] = []
  const methods = new Map<string, string>()
  const kept = new Map<string, { readonly of: string; readonly reply: Reply }>()
  let count = 0
  const next = (kind: string) => `${kind}_${++count}`
  const methodOf = (id: string) => ({
    id,
    object: 'payment_method',
    type: 'card',
    card: { brand: 'visa', last4: '4242' },
    customer: methods.get(id) ?? null,
  })

  const charge = (form: URLSearchParams): Reply => {
    const [customer, method] = [form.get('customer') ?? '', form.get('payment_method') ?? '']
    if (methods.get(method) !== customer)
      return failure(400, 'invalid_request_error', { code: 'resource_missing', param: 'payment_method' })
    const error = DECLINES[method]
    const intent: Intent = {
      id: next('pi'),
      object: 'payment_intent',
      amount: Number(form.get('amount')),
      currency: form.get('currency') ?? '',
      customer,
      metadata: metadataIn(form),
      status: error ? 'requires_payment_method' : 'succeeded',
      last_payment_error: error ?? null,
    }
    intents.push(intent)
    return error ? failure(402, 'card_error', { ...error, payment_intent: intent }) : { status: 200, body: intent }
  }

  const refund = (form: URLSearchParams): Reply => {
    const payment_intent = form.get('payment_intent') ?? ''
    const amount = Number(form.get('amount'))
    const charged = intents.find(({ id, status }) => id === payment_intent && status === 'succeeded')
    if (!charged) return failure(404, 'invalid_request_error', { code: 'resource_missing', param: 'payment_intent' })
    const before = refunds.filter((one) => one.payment_intent === payment_intent)
    if (before.reduce((sum, one) => sum + one.amount, 0) + amount > charged.amount)
      return failure(400, 'invalid_request_error', { code: 'charge_already_refunded' })
    const metadata = metadataIn(form)
    const made: Refund = { id: next('re'), object: 'refund', amount, payment_intent, metadata, status: 'succeeded' }
    refunds.push(made)
    return { status: 200, body: made }
  }

  const setUp = (form: URLSearchParams): Reply => {
    const [customer, method] = [form.get('customer') ?? '', form.get('payment_method') ?? '']
    if (!method.startsWith('pm_') || methods.has(method))
      return failure(400, 'invalid_request_error', { code: 'resource_missing', param: 'payment_method' })
    methods.set(method, customer)
    const intent = { id: next('seti'), object: 'setup_intent', status: 'succeeded', customer }
    return { status: 200, body: { ...intent, payment_method: methodOf(method) } }
  }

  const act = ({ path, body }: DoubleRequest): Reply => {
    const form = new URLSearchParams(body)
    if (path === '/v1/payment_intents') return charge(form)
    if (path === '/v1/refunds') return refund(form)
    if (path === '/v1/setup_intents') return setUp(form)
    if (path === '/v1/customers') return { status: 200, body: { id: next('cus'), object: 'customer' } }
    return failure(404, 'invalid_request_error')
  }

  const ask = ({ path, query }: DoubleRequest): Reply => {
    if (path === '/v1/payment_intents')
      return listOf(intents.filter(({ customer }) => customer === query.get('customer')))
    if (path === '/v1/refunds')
      return listOf(refunds.filter(({ payment_intent }) => payment_intent === query.get('payment_intent')))
    const [, id] = /^\/v1\/payment_methods\/(.+)$/.exec(path) ?? []
    return id === undefined ? failure(404, 'invalid_request_error') : { status: 200, body: methodOf(id) }
  }

  const double = await openDouble(
    (told) => {
      if (told.header('authorization') !== `Bearer ${STRIPE_KEY}`) return failure(401, 'invalid_request_error')
      if (told.method === 'GET') return ask(told)
      const key = told.header('idempotency-key') ?? next('none')
      const of = `${told.path}?${told.body}`
      const before = kept.get(key)
      if (before) return before.of === of ? before.reply : failure(400, 'idempotency_error')
      const reply = act(told)
      kept.set(key, { of, reply })
      return reply
    },
    (status) => ({ error: { type: status === 429 ? 'invalid_request_error' : 'api_error', message: 'not now' } }),
  )
  return {
    ...double,
    refunds,
    get charges() {
      return intents.filter(({ status }) => status === 'succeeded')
    },
  }
}
