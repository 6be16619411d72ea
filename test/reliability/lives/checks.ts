import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import { charges } from '../../../domain/orders/billing/charge.ts'
import { refunds } from '../../../domain/orders/billing/refund.ts'
import { invoice } from '../../../domain/orders/invoice/model.ts'
import { orders } from '../../../domain/orders/order/rules.ts'
import { isOwed } from '../../../domain/orders/statuses.ts'
import { transaction } from '../../../domain/orders/transaction/model.ts'
import { COMPENSATING } from '../../../domain/resources/process/status.ts'
import type { Bank } from './bank.ts'
import { type Clocks, DAY } from './clocks.ts'
import type { Documents, Service } from './service.ts'

const PROCESSES = [charges, refunds]

interface ChecksDeps {
  readonly bank: Bank
  readonly clocks: Clocks
  readonly documents: Documents
  readonly service: Service
  readonly orderId: number
}

/** Whoever checks what is stuck, and whether a subscription has come to rest. */
export class Checks {
  readonly #deps: ChecksDeps

  constructor(deps: ChecksDeps) {
    this.#deps = deps
  }

  /** Resumes a stuck process. @returns false when none is stuck */
  async resumeStuck(): Promise<boolean> {
    const { documents, service, clocks } = this.#deps
    await documents.follow()
    for (const { model, decider } of PROCESSES)
      for (const found of documents.live.find(model.name)) {
        if (found.stuck === null || this.#isGivenBack(found)) continue
        // Until then the gateway repeats its answer.
        clocks.pass(DAY)
        await service.ask({ aggregate: decider, id: Number(found.id), type: 'resume' })
        return true
      }
    return false
  }

  /** Tells whether nothing is under way, due or owed. */
  async isAtRest(): Promise<boolean> {
    const { documents, service, orderId } = this.#deps
    const records = await service.engine.records(orders, orderId, Number.POSITIVE_INFINITY)
    const isUnderWay = (one: Document) => one.step !== null && !(one.stuck !== null && this.#isGivenBack(one))
    return (
      !PROCESSES.some(({ model }) => documents.live.find(model.name).some(isUnderWay)) &&
      !records.all(invoice).some(isOwed) &&
      !records.all(transaction).some(({ refunding }) => refunding) &&
      (await service.dueRecords()).length === 0
    )
  }

  /**
   * Whether a charge that is to be taken back was given back at the gateway, in part or, by whoever checks it, as a whole. The
   * gateway then refuses to take it back, so that its process stays stuck, although nothing is left to do.
   */
  #isGivenBack({ status, external_id }: Document): boolean {
    const { bank } = this.#deps
    const charge = status === COMPENSATING ? bank.charges.find(({ id }) => id === external_id) : undefined
    if (charge && charge.given > 0n) bank.give(charge, charge.minor - charge.given)
    return charge !== undefined && charge.given === charge.minor
  }
}
