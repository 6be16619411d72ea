import type { Adapter, Adapters, CallResult, QueryResult } from '../../../domain/kernel/ports/calls.ts'
import type { Charge } from './purchase.ts'
import { adaptersOf } from './shop.ts'

/** How a request is treated. `loses`: the connection is lost, after the request was executed (`acts and loses`) or before. */
export const BEHAVIOURS = ['answers', 'declines', 'fails', 'acts and loses', 'loses'] as const

export type Behaviour = (typeof BEHAVIOURS)[number]

export type What = 'charge' | 'find' | 'refund' | 'pack'

/** Charges and packs parcels in this process, without a network. It ignores the keys of charges, so a repeated charge is made twice. It recognises the keys of parcels. */
export class Till {
  readonly charges: { readonly key: string; readonly id: string; refunded: boolean }[] = []
  /** Keys of the packed parcels. */
  readonly packed = new Set<string>()
  readonly asked: What[] = []
  /** Declined requests, which are declined again when repeated. */
  readonly #declined = new Set<string>()
  readonly #mannerOf: (what: What) => Behaviour
  readonly #onAsked: (number: number) => Promise<void>

  /**
   * @param mannerOf how the next request is treated
   * @param onAsked called with the number of each request, from 0, before it is executed
   */
  constructor(mannerOf: (what: What) => Behaviour, onAsked: (number: number) => Promise<void> = async () => undefined) {
    this.#mannerOf = mannerOf
    this.#onAsked = onAsked
  }

  /** @param mortally lets the caller die before or after a call */
  adapters(mortally: <T extends object>(adapter: T) => T = (adapter) => adapter): Adapters {
    const charge: Adapter<Charge, { readonly charge_id: string }> = {
      send: (_, key) =>
        this.#firmly('charge', key, () => {
          const id = `charge ${this.charges.length}`
          this.charges.push({ key, id, refunded: false })
          return { charge_id: id }
        }),
      find: async (_, key): Promise<QueryResult<{ readonly charge_id: string }>> => {
        const found = await this.#take('find', () => this.charges.find((one) => one.key === key))
        if (found.came !== 'answered') return { came: 'unknown', reason: found.reason }
        return found.answer ? { came: 'answered', answer: { charge_id: found.answer.id } } : { came: 'never' }
      },
    }
    const refund: Adapter<{ readonly charge_id: string }, { readonly refund_id: string }> = {
      send: ({ charge_id }, key) =>
        this.#take('refund', () => {
          for (const one of this.charges) one.refunded ||= one.id === charge_id
          return { refund_id: key }
        }),
    }
    const packer: Adapter<unknown, { readonly parcel: string }> = {
      send: (_, key) => {
        const pack = () => ({ parcel: [...this.packed.add(key)].join() })
        return this.packed.has(key) ? this.#take('pack', pack, true) : this.#firmly('pack', key, pack)
      },
    }
    return adaptersOf({ charge: mortally(charge), refund: mortally(refund) }, mortally(packer))
  }

  async #firmly<Answer>(what: What, key: string, act: () => Answer): Promise<CallResult<Answer>> {
    if (this.#declined.has(key)) return { came: 'refused', reason: `no ${what}` }
    const sent = await this.#take(what, act)
    if (sent.came === 'refused') this.#declined.add(key)
    return sent
  }

  /** @param isKnown the key is known, so the request can no longer be declined */
  async #take<Answer>(what: What, act: () => Answer, isKnown = false): Promise<CallResult<Answer>> {
    await this.#onAsked(this.asked.push(what) - 1)
    const manner = this.#mannerOf(what)
    if (manner === 'declines' && !isKnown) return { came: 'refused', reason: `no ${what}` }
    if (manner === 'fails') return { came: 'failed', reason: 'it is busy' }
    if (manner === 'loses') throw new Error('the connection was lost')
    const answer = act()
    if (manner === 'acts and loses') throw new Error('the connection was lost')
    return { came: 'answered', answer }
  }
}
