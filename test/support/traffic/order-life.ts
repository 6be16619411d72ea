import type { RecordCommand } from '../../../domain/kernel/decide/rules.ts'
import { RecordsOfStream } from '../../../domain/kernel/decide/stream-state.ts'
import { dueTimersOf } from '../../../domain/kernel/model/due.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import type { DomainEvent, JsonObject } from '../../../domain/kernel/values/event.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { streamOf } from '../../../domain/kernel/values/stream-name.ts'
import { invoice, invoiceLineItem } from '../../../domain/orders/invoice/model.ts'
import { lineItem } from '../../../domain/orders/order/line-item.ts'
import { order } from '../../../domain/orders/order/model.ts'
import { orders } from '../../../domain/orders/order/rules.ts'
import type { Sale } from '../../../domain/orders/sale.ts'
import { transaction } from '../../../domain/orders/transaction/model.ts'
import { ROOT, WORKSPACE } from '../decider.ts'

const ACTOR = { label: 'worker:test' } as const

/** A requested charge or refund. */
export interface GatewayRequest {
  readonly type: 'InvoiceChargeAsked' | 'TransactionRefundAsked'
  readonly data: JsonObject
}

/**
 * The life of one order by the rules alone. It does at once what workers would do later. The test plays the gateway: it answers `requests`
 * at any time, and any number of times.
 */
export class OrderLife {
  state = orders.initial
  readonly events: DomainEvent[] = []
  readonly requests: GatewayRequest[] = []
  now: string
  private minted = 0
  /** Prices that the catalogue adds after the sale. */
  private readonly prices: readonly JsonObject[]

  constructor(begun: string, sale: Omit<Sale, 'invoice_id' | 'transaction_id'>, prices: readonly JsonObject[]) {
    this.now = begun
    this.prices = prices
    const wanted = {
      order_type: sale.plan ? 'subscription-order' : 'one-time-order',
      ...{ live_mode: false, contact_id: 5 },
      sale: { ...sale, invoice_id: this.mint(), transaction_id: this.mint() },
    }
    this.asks('sell', wanted, { ids: sale.lines.flatMap(() => [this.mint(), this.mint()]) })
  }

  get order(): RecordOf<typeof order> {
    return new RecordsOfStream(this.state).root(order)!
  }

  get lines(): readonly RecordOf<typeof lineItem>[] {
    return new RecordsOfStream(this.state).all(lineItem)
  }

  get billed(): readonly RecordOf<typeof invoiceLineItem>[] {
    return new RecordsOfStream(this.state).all(invoiceLineItem)
  }

  get invoices(): readonly RecordOf<typeof invoice>[] {
    return new RecordsOfStream(this.state).all(invoice)
  }

  get transactions(): readonly RecordOf<typeof transaction>[] {
    return new RecordsOfStream(this.state).all(transaction)
  }

  /** Sends a command to the order, or to another record in its stream. */
  asks(type: string, wanted: object = {}, more: Partial<RecordCommand> = {}): Refusal | undefined {
    const stamp = { at: this.now, actor: ACTOR }
    const command = { type, id: ROOT, workspaceId: WORKSPACE, wanted: wanted as JsonObject, ...more, ...stamp }
    const ids = this.prices.map(({ id }) => id)
    const variant = { product_type: 'digital', upgrade_price_ids: ids, downgrade_price_ids: [] }
    const target = this.prices.find(({ id }) => id === command.wanted.products_price_id)
    const facts = {
      ...{ catalogue: { variants: [], prices: this.prices }, currency: 'USD' },
      ...{ prices: this.prices, variant, target, isSellable: true },
    }
    const decision = orders.decide(this.state, command, facts)
    if (decision instanceof Refusal) return decision
    this.append(decision)
    return undefined
  }

  /** Moves the first line item to another price. */
  moves(products_price_id: number, effective_time: 'now' | 'next_renewal'): Refusal | undefined {
    const [line] = this.lines
    const invoice = { invoice_id: this.mint(), invoice_line_item_id: this.mint() }
    const wanted = { line_item_id: line!.id, products_price_id, effective_time, ...invoice }
    return this.asks('create', wanted, { child: 'changes', id: this.mint() })
  }

  /** Fires the timers that are due until a time, each at its due time. */
  passes(until: string, answers: (request: GatewayRequest) => void = () => undefined): void {
    for (let due = this.next(); due && due.due <= until; due = this.next()) {
      if (due.due > this.now) this.now = due.due
      const before = this.events.length
      this.asks(due.act, {}, due.of)
      if (this.events.length === before) throw new Error(`${due.name} was due and changed nothing`)
      for (const request of this.requests.splice(0)) answers(request)
    }
    this.now = until
  }

  mint(): number {
    return ++this.minted
  }

  private append(events: readonly DomainEvent[]): void {
    const metadata = { at: this.now, actor: 'test', $correlationId: 'c', $causationId: 'c', workspace_id: WORKSPACE }
    const first = this.events.length
    this.state = orders.fold(
      this.state,
      events.map((event, index) => ({ ...event, stream: streamOf(orders, ROOT), revision: first + index, metadata })),
    )
    this.events.push(...events)
    for (const { type, data } of events) {
      if (type === 'RenewalFellDue') this.bills(data)
      if (type === 'InvoiceChargeAsked' || type === 'TransactionRefundAsked') this.requests.push({ type, data })
    }
  }

  private bills({ period, lines }: JsonObject): void {
    this.asks('bill', { period }, { ids: Array.from({ length: Number(lines) + 1 }, () => this.mint()) })
  }

  private next() {
    const due = [
      ...dueTimersOf(order, this.order).map((timer) => ({
        ...timer,
        act: orders.fires(order.name, timer.name),
        of: {},
      })),
      ...this.invoices.flatMap((record) =>
        dueTimersOf(invoice, record).map((timer) => ({
          ...timer,
          act: orders.fires(invoice.name, timer.name),
          of: { child: 'invoices', id: record.id },
        })),
      ),
    ]
    return due.sort((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : 0))[0]
  }
}
