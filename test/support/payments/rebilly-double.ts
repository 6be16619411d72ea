import { type Double, type DoubleRequest, openDouble, type Reply } from './double.ts'

export const REBILLY_KEY = 'sk_sandbox_of_the_double'
export const ORGANIZATION = 'org-1'
export const WEBSITE = 'site-1'

interface Transaction {
  readonly id: string
  readonly type: 'sale' | 'refund'
  readonly customerId: string
  readonly amount: number
  readonly currency: string
  readonly requestId: string | null
  readonly description: string
  status: string
  result: string
  readonly _links?: readonly object[]
  readonly gateway: object | null
  readonly childTransactions: string[]
}

export interface RebillyDouble extends Double {
  /** Executed charges. */
  readonly charges: readonly Transaction[]
  readonly refunds: readonly Transaction[]
  /** Lets the buyer of the last charge answer the bank. */
  answersBank(result: 'approved' | 'refused'): void
}

interface Sale extends Transaction {
  readonly websiteId: string
  readonly isMerchantInitiated: boolean
  readonly paymentInstruction: { readonly paymentInstrumentId: string }
}

const declined = (code: string) => ({ status: 'completed', result: 'declined', gateway: { response: { code } } })

/** Outcomes of charges, by the token of the payment instrument. */
const OUTCOMES: Readonly<Record<string, Pick<Transaction, 'status' | 'result' | 'gateway'>>> = {
  declined: declined('card_declined'),
  insufficient: declined('insufficient_funds'),
  authentication: { status: 'offsite', result: 'unknown', gateway: null },
}
const APPROVED = { status: 'completed', result: 'approved', gateway: null }

const failure = (status: number): Reply => ({ status, body: { status, title: 'it is refused' } })
const created = (body: object): Reply => ({ status: 201, body })

const instrumentView = ({ id }: { readonly id: string }) => ({
  id,
  method: 'payment-card',
  brand: 'Visa',
  last4: '4242',
})

/** What the double has recorded, with one method per request. */
class RebillyRecords {
  readonly transactions: Transaction[] = []
  readonly #instruments: { readonly id: string; readonly customerId: string; readonly token: string }[] = []
  readonly #customers = new Set<string>()
  #count = 0

  answer(request: DoubleRequest): Reply {
    if (request.header('reb-apikey') !== REBILLY_KEY) return failure(401)
    const path = request.path.replace(`/organizations/${ORGANIZATION}`, '')
    if (request.method === 'GET') return this.#query(request, path)
    const sent = JSON.parse(request.body)
    const [, customer] = /^\/customers\/(.+)$/.exec(path) ?? []
    if (customer !== undefined) return this.#addCustomer(customer)
    const [, charged] = /^\/transactions\/(.+)\/refund$/.exec(path) ?? []
    if (charged !== undefined) return this.#refund(charged, sent)
    if (path === '/transactions') return this.#charge(sent)
    return path === '/payment-instruments' ? this.#addInstrument(sent) : failure(404)
  }

  #query({ query }: DoubleRequest, path: string): Reply {
    const [, customer] = /^customerId:(.+)$/.exec(query.get('filter') ?? '') ?? []
    const ofCustomer = <T extends { readonly customerId: string }>(all: readonly T[]) =>
      all.filter(({ customerId }) => customerId === customer)
    if (path === '/transactions') return { status: 200, body: ofCustomer(this.transactions).toReversed() }
    if (path === '/payment-instruments') return { status: 200, body: ofCustomer(this.#instruments).map(instrumentView) }
    const found = this.#transaction(path.replace('/transactions/', ''))
    return found ? { status: 200, body: found } : failure(404)
  }

  #addCustomer(id: string): Reply {
    this.#customers.add(id)
    return created({ id })
  }

  #addInstrument({ customerId, token }: { customerId: string; token: string }): Reply {
    const isUsed = this.#instruments.some((each) => each.token === token)
    if (!this.#customers.has(customerId) || !token.includes('-') || isUsed) return failure(422)
    const instrument = { id: this.#nextId('inst'), customerId, token }
    this.#instruments.push(instrument)
    return created(instrumentView(instrument))
  }

  #charge(sent: Sale): Reply {
    const instrument = this.#instruments.find(({ id }) => id === sent.paymentInstruction.paymentInstrumentId)
    if (!instrument || instrument.customerId !== sent.customerId || sent.websiteId !== WEBSITE) return failure(422)
    if (this.transactions.some(({ requestId }) => requestId === sent.requestId)) return failure(409)
    const { customerId, amount, currency, requestId, description } = sent
    const outcome = OUTCOMES[instrument.token.split('-')[0] ?? ''] ?? APPROVED
    const about = { customerId, amount, currency, requestId, description, childTransactions: [] }
    const isAsked = outcome.status === 'offsite' && !sent.isMerchantInitiated
    const links = isAsked && { _links: [{ rel: 'approvalUrl', href: 'https://bank.example/ask' }] }
    const sale: Transaction = { id: this.#nextId('t'), type: 'sale', ...about, ...outcome, ...links }
    this.transactions.push(sale)
    return created(sale)
  }

  #refund(id: string, { amount, description }: Transaction): Reply {
    const sale = this.#transaction(id)
    if (sale?.result !== 'approved') return failure(404)
    const before = sale.childTransactions.reduce((sum, child) => sum + (this.#transaction(child)?.amount ?? 0), 0)
    if (before + amount > sale.amount) return failure(422)
    const { customerId, currency } = sale
    const about = { customerId, amount, currency, requestId: null, description, childTransactions: [] }
    const child: Transaction = { id: this.#nextId('t'), type: 'refund', ...about, ...APPROVED }
    this.transactions.push(child)
    sale.childTransactions.push(child.id)
    return created(child)
  }

  #transaction(id: string): Transaction | undefined {
    return this.transactions.find((each) => each.id === id)
  }

  #nextId(kind: string): string {
    return `${kind}-${++this.#count}`
  }
}

/** The part of Rebilly's API that its adapter uses. It records transactions, and executes a transaction's request once. */
export const openRebillyDouble = async (): Promise<RebillyDouble> => {
  const records = new RebillyRecords()
  const double = await openDouble(
    (request) => records.answer(request),
    (status) => ({ status, title: 'not now' }),
  )
  const approved = (type: Transaction['type']) =>
    records.transactions.filter((each) => each.type === type && each.result === 'approved')
  return {
    ...double,
    answersBank(result) {
      const asked = records.transactions.findLast(({ status }) => status === 'offsite')
      if (asked) Object.assign(asked, { status: 'completed', result: result === 'approved' ? 'approved' : 'abandoned' })
    },
    get charges() {
      return approved('sale')
    },
    get refunds() {
      return approved('refund')
    },
  }
}
