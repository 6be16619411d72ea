import type { DeliveryRecord, Settled } from '../../domain/emails/mailing/model.ts'
import { CALLED_OFF, type Mailable, mailableOf, type Of, type QuestionDeps } from './mailable.ts'
import type { Recipient } from './recipients.ts'

/** With which recipient a mail goes, or what becomes of it instead. */
export type Answer = { readonly recipient: Recipient } | { readonly settled: Settled }

interface Asked {
  readonly delivery: DeliveryRecord
  readonly known: Recipient
  readonly answer: (answer: Answer) => void
  readonly fail: (error: unknown) => void
}

/** Returns what is said of one delivery. */
const answerIn = ({ mailable, settled, isCalledOff }: Mailable, { id }: DeliveryRecord): Answer => {
  const [, recipient] = mailable.find(([one]) => one.id === id) ?? []
  if (recipient && !isCalledOff) return { recipient }
  return { settled: settled.find(({ delivery_id }) => delivery_id === id) ?? CALLED_OFF(id) }
}

/**
 * Asks at this moment whether mails of one mailing go. What is asked in one turn, or while an answer is read, is read together next, so that each answer has
 * all that was written before its question.
 */
export class Question {
  readonly #deps: QuestionDeps
  readonly #of: Of
  readonly #second: () => ReadonlySet<number>
  #asked: Asked[] = []
  #isReading = false

  constructor(deps: QuestionDeps, of: Of, second: () => ReadonlySet<number>) {
    this.#deps = deps
    this.#of = of
    this.#second = second
  }

  /** Asks about several. */
  all(picked: readonly DeliveryRecord[], known?: ReadonlyMap<number, Recipient>): Promise<Mailable> {
    return mailableOf(this.#deps, { picked, second: this.#second(), known }, this.#of)
  }

  /** Asks about one that is about to be handed over. @param known its recipient so far: the same object in the answer means that nothing has changed */
  one(delivery: DeliveryRecord, known: Recipient): Promise<Answer> {
    return new Promise((answer, fail) => {
      this.#asked.push({ delivery, known, answer, fail })
      if (this.#isReading) return
      this.#isReading = true
      setImmediate(() => void this.#read())
    })
  }

  async #read(): Promise<void> {
    while (this.#asked.length > 0) {
      const asked = this.#asked.splice(0)
      try {
        const known = new Map(asked.map((one) => [one.delivery.id, one.known]))
        const picked = asked.map(({ delivery }) => delivery)
        const found = await this.all(picked, known)
        for (const { delivery, answer } of asked) answer(answerIn(found, delivery))
      } catch (error) {
        for (const { fail } of asked) fail(error)
      }
    }
    this.#isReading = false
  }
}
