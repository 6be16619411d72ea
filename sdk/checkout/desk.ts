import type { Action, Core } from '../checkout-port.ts'
import type { CheckoutError } from '../index.d.ts'
import { wait } from './calls.ts'
import type { CartMemory } from './cart-memory.ts'
import type { Outcome } from './follow.ts'
import { sdkError } from './model.ts'
import type { Buttons } from './page/buttons.ts'
import type { Pending } from './pending.ts'

const FAILED = sdkError('failed', 'Something went wrong. Please try again.')

/** Time after which a visitor is taken to have stayed: no browser says that a navigation came to nothing. */
const STAYED = 3000

export interface DeskDeps {
  readonly core: Core
  readonly pending: Pending
  readonly buttons: Buttons
  readonly memory: CartMemory
  /** Tells the buyer what goes on. */
  say(text: string): void
  /** Tells the buyer why nothing was sold. */
  refuse(errors: readonly CheckoutError[], action: Action['name']): void
}

/**
 * Does one thing at a time that may charge: what is asked for meanwhile is ignored, and the buttons are disabled. A success leads the
 * visitor on. Who stays nevertheless, as the page may ask them to, is led on by the next press: nothing is charged twice.
 */
export const createDesk = ({ core, pending, buttons, memory, say, refuse }: DeskDeps) => {
  let busy: symbol | undefined
  const release = () => {
    if (busy === undefined) return
    busy = undefined
    say('')
    buttons.enable()
    pending.end()
  }
  return {
    /**
     * @param cartId cart that is marked as paid, so that a reload leads on
     * @param isBack whether the visitor has come back to what was begun before
     */
    async run(name: Action['name'], cartId: string, work: () => Promise<Outcome>, isBack = false): Promise<void> {
      if (busy !== undefined) return
      const turn = Symbol(name)
      busy = turn
      pending.begin()
      buttons.disable()
      const failed = (): Outcome => ({ end: 'refused', errors: [FAILED] })
      const outcome = await work().catch(failed)
      // The page came back from the browser's memory meanwhile, and has asked anew.
      if (busy !== turn) return
      if (outcome.end === 'paid') memory.paid(cartId)
      else memory.forget()
      if ('redirect' in outcome) {
        core.go(outcome.redirect, isBack)
        await wait(core.host, STAYED)
        if (busy !== turn) return
      }
      release()
      if (outcome.end === 'refused') refuse(outcome.errors, name)
    },
    release,
  }
}

export type Desk = ReturnType<typeof createDesk>
