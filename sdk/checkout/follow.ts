import type { Answer } from '../checkout-port.ts'
import type { CheckoutError } from '../index.d.ts'
import type { BankAction, Charge } from './model.ts'

/** What the buyer answered when their bank asked. The gateway knows the truth, and the server asks it; only the simulator goes by this. */
export type BankResult = 'approved' | 'refused'

/** `unanswered`: neither, since the charge no longer waits for an answer, or the page is gone. */
export type BankAnswer = BankResult | 'unanswered'

export interface FollowDeps {
  /** Asks how the charge stands. */
  ask(): Promise<Answer<Charge>>
  /** Tells the server that the bank has been answered. */
  confirm(result: BankResult): Promise<Answer<Charge>>
  /** Lets the buyer answer their bank on the page. Never rejects. Only what the bank or the buyer said is a refusal. */
  authenticate(action: BankAction, ask: () => Promise<Answer<Charge>>): Promise<BankAnswer>
  wait(milliseconds: number): Promise<void>
  /** Tells the buyer that it is being checked whether the charge went through. */
  checking(): void
  readonly signal: AbortSignal
}

/** `unknown`: nothing was charged as far as the server knows, but a request may still be on its way. */
export type Outcome =
  | { readonly end: 'paid'; readonly redirect: string }
  | { readonly end: 'refused'; readonly errors: readonly CheckoutError[] }
  | { readonly end: 'unknown' }
  | { readonly end: 'abandoned' }
  /** The visitor goes on without anything to remember. */
  | { readonly end: 'left'; readonly redirect: string }

export const refused = (errors: readonly CheckoutError[]): Outcome => ({ end: 'refused', errors })

/** Whether a failure leaves open whether the request has arrived. */
export const isInDoubt = (code: string): boolean => ['unreachable', 'failed', 'unavailable'].includes(code)

const FIRST_WAIT = 400
const LONGEST_WAIT = 8000
/** Answers of `none` in a row, about 7 s, after which a request without an answer counts as never arrived. */
const MOST_NONE = 5

/** Waits grow by half each time. */
export const backOff = (turn: number): number => Math.min(LONGEST_WAIT, FIRST_WAIT * 1.5 ** turn)

const DECLINED: CheckoutError = { code: 'declined', message: 'The payment was declined.', source: 'gateway' }

/** Tells the server of the bank's answer until it has heard it: asking the buyer again would not help. */
const confirmed = async (result: BankResult, { confirm, wait, signal }: FollowDeps): Promise<Answer<Charge>> => {
  for (let turn = 0; ; turn++) {
    const answer = await confirm(result)
    if (answer.ok || turn === MOST_NONE || signal.aborted) return answer
    await wait(backOff(turn))
  }
}

/**
 * Follows a charge until it is known whether it went through. As long as it is not, no other may begin: the buyer is told that it is
 * being checked. A failure to ask says nothing about the charge.
 */
export const follow = async (first: Answer<Charge>, deps: FollowDeps): Promise<Outcome> => {
  let answer = first
  let nones = 0
  for (let turn = 0; !deps.signal.aborted; turn++) {
    if (answer.ok) {
      const { status, redirect, errors = [], action } = answer
      if (status === 'paid' && redirect !== undefined) return { end: 'paid', redirect }
      if (status === 'refused') return { end: 'refused', errors: errors.length > 0 ? errors : [DECLINED] }
      nones = status === 'none' ? nones + 1 : 0
      if (nones === MOST_NONE) return { end: 'unknown' }
      if (status === 'action' && action !== undefined) {
        turn = 0
        const result = await deps.authenticate(action, deps.ask)
        answer = result === 'unanswered' ? await deps.ask() : await confirmed(result, deps)
        if (answer.ok && answer.status !== 'action') continue
      }
    }
    if (turn > 0) deps.checking()
    await deps.wait(backOff(turn))
    answer = await deps.ask()
  }
  return { end: 'abandoned' }
}
