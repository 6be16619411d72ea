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
  readonly status: string
  readonly result: string
  readonly gateway: object | null
  readonly childTransactions: string[]
}

export interface RebillyDouble extends Double {
  /** Executed charges. */
  readonly charges: readonly Transaction[]
  readonly refunds: readonly Transaction[]
}

interface Sale extends Transaction {
  readonly websiteId: string
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
const made = (body: object): Reply => ({ status: 201, body })

/** The part of Rebilly's API that its adapter uses. It records transactions, and executes a transaction's request once. */
export const openRebillyDouble = async (): Promise<RebillyDouble> => {
  const transactions: Transaction[] = []
  const instruments: { readonly id: string; readonly customerId: string; readonly token: string }[] = []
  const customers = new Set<string>()
  let count = 0
  const next = (kind: string) => `${kind}-${++count}`
  const shown = ({ id }: { readonly id: string }) => ({ id, method: 'payment-card', brand: 'Visa', last4: '4242' })
  const one = (id: string) => transactions.find((each) => each.id === id)

  const charge = (sent: Sale): Reply => {
    const instrument = instruments.find(({ id }) => id === sent.paymentInstruction.paymentInstrumentId)
    if (!instrument || instrument.customerId !== sent.customerId || sent.websiteId !== WEBSITE) return failure(422)
    if (transactions.some(({ requestId }) => requestId === sent.requestId)) return failure(409)
    const { customerId, amount, currency, requestId, description } = sent
    const outcome = OUTCOMES[instrument.token.split('-')[0] ?? ''] ?? APPROVED
    const about = { customerId, amount, currency, requestId, description, childTransactions: [] }
    const sale: Transaction = { id: next('t'), type: 'sale', ...about, ...outcome }
    transactions.push(sale)
    return made(sale)
  }

  const refund = (id: string, { amount, description }: Transaction): Reply => {
    const sale = one(id)
    if (sale?.result !== 'approved') return failure(404)
    const before = sale.childTransactions.reduce((sum, child) => sum + (one(child)?.amount ?? 0), 0)
    if (before + amount > sale.amount) return failure(422)
    const { customerId, currency } = sale
    const about = { customerId, amount, currency, requestId: null, description, childTransactions: [] }
    const child: Transaction = { id: next('t'), type: 'refund', ...about, ...APPROVED }
    transactions.push(child)
    sale.childTransactions.push(child.id)
    return made(child)
  }

  const save = ({ customerId, token }: { customerId: string; token: string }): Reply => {
    if (!customers.has(customerId) || !token.includes('-') || instruments.some((each) => each.token === token))
      return failure(422)
    const instrument = { id: next('inst'), customerId, token }
    instruments.push(instrument)
    return made(shown(instrument))
  }

  const ask = ({ query }: DoubleRequest, path: string): Reply => {
    const [, customer] = /^customerId:(.+)$/.exec(query.get('filter') ?? '') ?? []
    const ofCustomer = <T extends { readonly customerId: string }>(all: readonly T[]) =>
      all.filter(({ customerId }) => customerId === customer)
    if (path === '/transactions') return { status: 200, body: ofCustomer(transactions).toReversed() }
    if (path === '/payment-instruments') return { status: 200, body: ofCustomer(instruments).map(shown) }
    const found = one(path.replace('/transactions/', ''))
    return found ? { status: 200, body: found } : failure(404)
  }

  const double = await openDouble(
    (told) => {
      if (told.header('reb-apikey') !== REBILLY_KEY) return failure(401)
      const path = told.path.replace(`/organizations/${ORGANIZATION}`, '')
      if (told.method === 'GET') return ask(told, path)
      const sent = JSON.parse(told.body)
      const [, customer] = /^\/customers\/(.+)$/.exec(path) ?? []
      if (customer !== undefined) {
        customers.add(customer)
        return made({ id: customer })
      }
      const [, charged] = /^\/transactions\/(.+)\/refund$/.exec(path) ?? []
      if (charged !== undefined) return refund(charged, sent)
      if (path === '/transactions') return charge(sent)
      return path === '/payment-instruments' ? save(sent) : failure(404)
    },
    (status) => ({ status, title: 'not now' }),
  )
  const of = (type: Transaction['type']) =>
    transactions.filter((each) => each.type === type && each.result === 'approved')
  return {
    ...double,
    get charges() {
      return of('sale')
    },
    get refunds() {
      return of('refund')
    },
  }
}
