import { formSubmissions } from '../../../domain/forms/form-submission/rules.ts'
import { type Ask, ask, instanceOf, stampCommand, within } from '../../../domain/kernel/decide/ask.ts'
import { type MintId, mintFrom, withIds } from '../../../domain/kernel/values/ids.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { invoice, invoiceLineItem, lineItem, orders } from '../../../domain/orders/public.ts'
import type { SoldLine } from '../../../domain/orders/sale.ts'
import { transaction } from '../../../domain/orders/transaction/model.ts'
import { placements, sessions } from '../../../domain/visits/public.ts'
import { ok } from '../client.ts'
import { random } from '../sdk-pages.ts'
import type { Tenant, TestService } from '../service.ts'
import { type OnSale, shopOf } from '../traffic/shop.ts'

/** Step of a funnel, and the page that it shows. */
export interface Step {
  readonly funnelId: number
  readonly stepId: number
  readonly pageId: number
}

/** Split at the entry of a funnel, with its weights. */
export interface EntrySplit {
  readonly funnelId: number
  readonly splitId: number
  readonly weights: readonly [number, number]
}

/** Purchase on a page. */
interface Sold {
  readonly at: string
  readonly once?: string
  readonly recurring?: string
  readonly live?: boolean
  readonly currency?: string
}

/** What visitors of funnels do, at any time. */
export interface Visitors {
  /** Makes a funnel with so many steps, named A, B, …, on live mode unless said otherwise. */
  funnel(steps: number, live?: boolean): Promise<{ readonly id: number; readonly steps: readonly Step[] }>
  /** A session looks at a step at these times. @returns the id of the session */
  views(step: Step, times: readonly string[], more?: object): Promise<number>
  /** A session that there is already looks at a step. */
  viewsAgain(session: number, step: Step, times: readonly string[], more?: object): Promise<void>
  /** A visitor comes to a variant of a split at the entry of a funnel, by these weights. */
  enters(split: EntrySplit, branch: 0 | 1, at: string): Promise<void>
  submits(step: Step, at: string, live?: boolean): Promise<void>
  /** @returns the id of the order */
  sells(step: Step, sold: Sold): Promise<number>
  /** Gives the first payment of an order back. */
  refunds(order: number, at: string): Promise<void>
  /** Advances the test clock of the workspace. */
  passes(days: number): Promise<void>
}

const viewOf = ({ funnelId, stepId, pageId }: Step, viewed_at: string, more: object) => ({
  ...{ hit: random(), load: random(), number: 1, page_id: pageId, funnel_id: funnelId, show_page_step_id: stepId },
  ...{ live_mode: true, bot: false, consent: true, viewed_at },
  ...more,
})

/** Carries out commands at any time, and waits until their results can be read. */
const carryingOut = ({ background: { core, reached } }: TestService, { teamId, workspaceId }: Tenant) => {
  const { engine, ids } = core
  return (asked: Ask, at: string): Promise<number> =>
    withIds(ids, async () => {
      const { id, isNew } = instanceOf(asked, mintFrom(ids))
      const stamped = stampCommand(asked, { at, actor: { label: 'test' } }, id)
      const causes = { causationId: 'test', correlationId: 'test' }
      const result = await engine.transact({ ...stamped, teamId, workspaceId, ...causes, isNew })
      if (result instanceof Refusal) throw result
      await reached(result.position, 60_000)
      return id
    })
}

const zeroOf = ({ currency }: Sold): string => (currency === 'JPY' ? '0' : '0.00')

/** Prices of what was sold. */
const linesOf = ({ once, recurring }: Sold) => [
  ...(once === undefined ? [] : [{ amount: once, payment_type: 'one_time' }]),
  ...(recurring === undefined
    ? []
    : [{ amount: recurring, payment_type: 'subscription', interval: 'months', interval_count: 1 }]),
]

/** Returns the command of a checkout that places a paid order. */
const selling = (
  mint: MintId,
  contact_id: number,
  { funnelId, stepId, pageId }: Step,
  sold: Sold,
  items: readonly Omit<SoldLine, 'agreed'>[],
): Ask => {
  const { at, once = '0', recurring, live = true, currency = 'USD' } = sold
  const [zero, total] = [zeroOf(sold), (Number(once) + Number(recurring ?? 0)).toFixed(currency === 'JPY' ? 0 : 2)]
  const plan =
    recurring === undefined ? null : { anchor: at, zone: 'UTC', interval: 'months', count: 1, payments: null }
  const sale = {
    ...{ invoice_id: mint(invoice), transaction_id: mint(transaction), payment_processor: 'simulator' },
    ...{ gateway_account_id: 0, payment_method_id: 'approved', charge_id: random(), currency, trial_end_at: null },
    ...{
      plan,
      lines: items,
      subtotal_amount: total,
      shipping_amount: zero,
      discount: zero,
      tax: zero,
      total_amount: total,
    },
  }
  return ask(
    orders,
    'new',
    'sell',
    {
      ...{ order_type: plan ? 'subscription-order' : 'one-time-order', live_mode: live, contact_id, sale },
      ...{ sold_page_id: pageId, sold_step_id: stepId, sold_funnel_id: funnelId, session_id: 1 },
    },
    { ids: [lineItem, invoiceLineItem].flatMap((model) => items.map(() => mint(model))) },
  )
}

/** Creates what visitors of the funnels of a tenant do. */
export const visitorsOf = async (service: TestService, tenant: Tenant): Promise<Visitors> => {
  const { api, workspaceId } = tenant
  const carryOut = carryingOut(service, tenant)
  const shop = await shopOf(tenant)
  const onSale = new Map<string, Promise<OnSale>>()
  const priced = (price: object): Promise<OnSale> => {
    const key = JSON.stringify(price)
    const known = onSale.get(key) ?? shop.sells(price)
    onSale.set(key, known)
    return known
  }
  const viewsAgain: Visitors['viewsAgain'] = async (session, step, times, more = {}) => {
    for (const time of times) await carryOut(ask(sessions, session, 'view', { view: viewOf(step, time, more) }), time)
  }
  return {
    async funnel(count, live = true) {
      const { id } = ok(
        await api.post(`/workspaces/${workspaceId}/funnels`, { funnel: { name: `Funnel ${random()}` } }),
      )
      const steps: Step[] = []
      for (const name of 'ABCDEFGH'.slice(0, count)) {
        const page = { name, funnel: { funnel_id: id } }
        const made = ok(await api.post(`/workspaces/${workspaceId}/pages`, { page }))
        steps.push({ funnelId: id, stepId: made.show_page_step.id, pageId: made.id })
      }
      if (live) ok(await api.put(`/funnels/${id}`, { funnel: { live_mode: true } }))
      return { id, steps }
    },
    async views(step, [first = '', ...times], more = {}) {
      const view = viewOf(step, first, more)
      const { page_id, funnel_id, show_page_step_id, live_mode, bot, consent } = view
      const began = { page_id, funnel_id, show_page_step_id, live_mode, bot, consent, uuid: random(), view }
      const id = await carryOut(ask(sessions, 'new', 'begin', began), first)
      await viewsAgain(id, step, times, more)
      return id
    },
    viewsAgain,
    async enters({ funnelId, splitId, weights }, branch, at) {
      const placed = { funnel_id: funnelId, split_id: splitId, branch, weights, live_mode: true, again: false }
      await carryOut(ask(placements, 'new', 'create', placed), at)
    },
    passes: shop.passes,
    async submits({ funnelId, stepId, pageId }, at, live_mode = true) {
      const from = { page_id: pageId, show_page_step_id: stepId, funnel_id: funnelId, live_mode }
      const next = { page_id: null, url: 'https://example.com/thanks' }
      const sent = { ...from, contact_id: shop.contactId, data: {}, nonce: random(), next }
      await carryOut(ask(formSubmissions, 'new', 'create', sent), at)
    },
    sells: async (step, sold) => {
      const items = await Promise.all(
        linesOf(sold).map(async (price) => {
          const { amount, payment_type } = price
          return { ...(await priced(price)), amount, payment_type, product_id: 1, quantity: 1, discount: zeroOf(sold) }
        }),
      )
      return carryOut(selling(mintFrom(service.background.core.ids), shop.contactId, step, sold, items), sold.at)
    },
    async refunds(order, at) {
      const [charge] = ok(await api.get(`/orders/${order}/transactions`))
      const refund = {
        external_id: random(),
        refund_id: mintFrom(service.background.core.ids)(transaction),
        reason: null,
      }
      await carryOut(ask(within(orders, order, transaction), charge.id, 'recordRefund', refund), at)
    },
  }
}
