import type { HandOver } from '../../domain/kernel/ports/mail-transport.ts'

/** Faults of ours that a server may find with one recipient alone, where it asks the recipient's server. */
const MIXED: readonly string[] = ['relay', 'listed', 'sender']
/** Reasons of refusals that may be about anything. */
const UNCLEAR: readonly string[] = ['policy', 'refused']

/** How many in a row are not about their recipients any more: of the same fault of ours; of the same unclear answer, at several domains or at one. */
const FAULTS = 3
const ANSWERS = 5
const ANSWERS_OF_ONE = 20

/** Whether a fault pauses a mailing only if several recipients in a row meet it. */
export const isMixed = (result: HandOver): boolean =>
  result.came === 'ours' && result.atRecipient === true && MIXED.includes(result.reason)

/** Returns what refusals are compared by; `undefined`: it is none that may be about us. */
const keyOf = (result: HandOver): string | undefined => {
  if (isMixed(result)) return 'reason' in result ? result.reason : undefined
  const isUnclear = result.came === 'refused' && UNCLEAR.includes(result.reason)
  return isUnclear ? (result.reply ?? result.reason) : undefined
}

/** Counts refusals that say nothing of the recipient, as a server gives them to everybody whom it does not serve. */
export class RefusalsInARow {
  #key: string | undefined
  #count = 0
  readonly #domains = new Set<string>()

  /** Notes what came of a mail to a receiving domain. @returns the fault, once so many in a row were refused alike that it meets all; `undefined`: it does not */
  note(domain: string, result: HandOver): string | undefined {
    const key = keyOf(result)
    if (key !== this.#key) {
      this.#key = key
      this.#count = 0
      this.#domains.clear()
    }
    if (key === undefined) return undefined
    this.#count++
    this.#domains.add(domain)
    if (isMixed(result)) return this.#count >= FAULTS ? key : undefined
    return this.#count >= (this.#domains.size > 1 ? ANSWERS : ANSWERS_OF_ONE) ? 'refused_all' : undefined
  }
}
