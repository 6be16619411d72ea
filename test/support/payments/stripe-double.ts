import { type Double, type DoubleRequest, openDouble, type Reply } from './double.ts'

export const STRIPE_KEY = 'sk_test_of_the_double'

interface Intent {
  readonly id: string
  readonly object: 'payment_intent'
  readonly amount: number
  readonly currency: string
  readonly customer: string
  readonly metadata: object
  status: string
  readonly payment_method: string
  readonly client_secret: string
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
  /** Lets the buyer of the last charge answer the bank. */
  answersBank(result: 'approved' | 'refused'): void
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

/** The payment method of a charge. A confirmation token holds one that is not saved. */
const methodIn = (form: URLSearchParams): string =>
  form.get('payment_method') ?? (form.get('confirmation_token') ?? '').replace(/^ctoken_/, 'pm_')

/** What the double has recorded, with one method per request. */
class StripeRecords {
  readonly intents: Intent[] = []
  readonly refunds: Refund[] = []
  /** Customers by the token of their card. */
  readonly #customers = new Map<string, string>()
  /** Requests and their replies by idempotency key. */
  readonly #replies = new Map<string, { readonly request: string; readonly reply: Reply }>()
  #count = 0

  /** Answers a repeated idempotency key with its first reply. */
  answer(request: DoubleRequest): Reply {
    if (request.header('authorization') !== `Bearer ${STRIPE_KEY}`) return failure(401, 'invalid_request_error')
    if (request.method === 'GET') return this.#query(request)
    const key = request.header('idempotency-key') ?? this.#nextId('none')
    const pathAndBody = `${request.path}?${request.body}`
    const before = this.#replies.get(key)
    if (before) return before.request === pathAndBody ? before.reply : failure(400, 'idempotency_error')
    const reply = this.#execute(request)
    this.#replies.set(key, { request: pathAndBody, reply })
    return reply
  }

  #query({ path, query }: DoubleRequest): Reply {
    if (path === '/v1/payment_intents')
      return listOf(this.intents.filter(({ customer }) => customer === query.get('customer')))
    if (path === '/v1/refunds')
      return listOf(this.refunds.filter(({ payment_intent }) => payment_intent === query.get('payment_intent')))
    const [, intent] = /^\/v1\/payment_intents\/(.+)$/.exec(path) ?? []
    if (intent !== undefined) return this.#intent(intent)
    const [, id] = /^\/v1\/payment_methods\/(.+)$/.exec(path) ?? []
    return id === undefined ? failure(404, 'invalid_request_error') : { status: 200, body: this.#paymentMethod(id) }
  }

  #execute({ path, body }: DoubleRequest): Reply {
    const form = new URLSearchParams(body)
    if (path === '/v1/payment_intents') return this.#charge(form)
    const [, canceled] = /^\/v1\/payment_intents\/(.+)\/cancel$/.exec(path) ?? []
    if (canceled !== undefined) return this.#cancel(canceled)
    if (path === '/v1/refunds') return this.#refund(form)
    if (path === '/v1/setup_intents') return this.#setUp(form)
    if (path === '/v1/customers') return { status: 200, body: { id: this.#nextId('cus'), object: 'customer' } }
    return failure(404, 'invalid_request_error')
  }

  #charge(form: URLSearchParams): Reply {
    const [customer, method] = [form.get('customer') ?? '', methodIn(form)]
    // The first charge with the buyer present saves the method.
    const isPresent = form.get('setup_future_usage') === 'off_session'
    if (isPresent && method.startsWith('pm_') && !this.#customers.has(method)) this.#customers.set(method, customer)
    if (this.#customers.get(method) !== customer)
      return failure(400, 'invalid_request_error', { code: 'resource_missing', param: 'payment_method' })
    const asks = isPresent && method.startsWith('pm_authentication')
    const error = asks ? undefined : DECLINES[method]
    const intent: Intent = {
      id: this.#nextId('pi'),
      object: 'payment_intent',
      amount: Number(form.get('amount')),
      currency: form.get('currency') ?? '',
      customer,
      metadata: metadataIn(form),
      status: asks ? 'requires_action' : error ? 'requires_payment_method' : 'succeeded',
      payment_method: method,
      client_secret: this.#nextId('secret'),
      last_payment_error: error ?? null,
    }
    this.intents.push(intent)
    return error ? failure(402, 'card_error', { ...error, payment_intent: intent }) : { status: 200, body: intent }
  }

  #intent(id: string): Reply {
    const found = this.intents.find((one) => one.id === id)
    return found ? { status: 200, body: found } : failure(404, 'invalid_request_error', { code: 'resource_missing' })
  }

  #cancel(id: string): Reply {
    const found = this.intents.find((one) => one.id === id)
    if (!found || found.status === 'succeeded')
      return failure(400, 'invalid_request_error', { code: 'payment_intent_unexpected_state' })
    found.status = 'canceled'
    return { status: 200, body: found }
  }

  #refund(form: URLSearchParams): Reply {
    const payment_intent = form.get('payment_intent') ?? ''
    const amount = Number(form.get('amount'))
    const charged = this.intents.find(({ id, status }) => id === payment_intent && status === 'succeeded')
    if (!charged) return failure(404, 'invalid_request_error', { code: 'resource_missing', param: 'payment_intent' })
    const before = this.refunds.filter((one) => one.payment_intent === payment_intent)
    if (before.reduce((sum, one) => sum + one.amount, 0) + amount > charged.amount)
      return failure(400, 'invalid_request_error', { code: 'charge_already_refunded' })
    const metadata = metadataIn(form)
    const id = this.#nextId('re')
    const refund: Refund = { id, object: 'refund', amount, payment_intent, metadata, status: 'succeeded' }
    this.refunds.push(refund)
    return { status: 200, body: refund }
  }

  #setUp(form: URLSearchParams): Reply {
    const [customer, method] = [form.get('customer') ?? '', form.get('payment_method') ?? '']
    if (!method.startsWith('pm_') || this.#customers.has(method))
      return failure(400, 'invalid_request_error', { code: 'resource_missing', param: 'payment_method' })
    this.#customers.set(method, customer)
    const intent = { id: this.#nextId('seti'), object: 'setup_intent', status: 'succeeded', customer }
    return { status: 200, body: { ...intent, payment_method: this.#paymentMethod(method) } }
  }

  #paymentMethod(id: string): object {
    const card = { brand: 'visa', last4: '4242' }
    return { id, object: 'payment_method', type: 'card', card, customer: this.#customers.get(id) ?? null }
  }

  #nextId(kind: string): string {
    return `${kind}_${++this.#count}`
  }
}

/** The part of Stripe's payment API that its adapter uses. It records transactions and honours idempotency keys. */
export const openStripeDouble = async (): Promise<StripeDouble> => {
  const records = new StripeRecords()
  const double = await openDouble(
    (request) => records.answer(request),
    (status) => ({ error: { type: status === 429 ? 'invalid_request_error' : 'api_error', message: 'not now' } }),
  )
  return {
    ...double,
    refunds: records.refunds,
    answersBank(result) {
      const asked = records.intents.findLast(({ status }) => status === 'requires_action')
      if (asked) asked.status = result === 'approved' ? 'succeeded' : 'requires_payment_method'
    },
    get charges() {
      return records.intents.filter(({ status }) => status === 'succeeded')
    },
  }
}
