import type { DeliveryRecord, Settled } from '../../domain/emails/mailing/model.ts'
import { CALLED_OFF, type Mailable, mailableOf, type QuestionDeps } from './mailable.ts'
import type { Recipient } from './recipients.ts'

/** With which recipient a mail goes, or what becomes of it instead. */
export type Answer = { readonly recipient: Recipient } | { readonly settled: Settled }

interface Asked {
  readonly delivery: DeliveryRecord
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
 * Asks at this moment whether mails of one mailing go. What is asked while an answer is read is read together next, so that each answer has all that was
 * written before its question.
 */
export class Question {
  readonly #deps: QuestionDeps
  readonly #of: Parameters<typeof mailableOf>[2]
  readonly #second: () => ReadonlySet<number>
  #asked: Asked[] = []
  #isReading = false

  constructor(deps: QuestionDeps, of: Parameters<typeof mailableOf>[2], second: () => ReadonlySet<number>) {
    this.#deps = deps
    this.#of = of
    this.#second = second
  }

  /** Asks about several. */
  all(picked: readonly DeliveryRecord[]): Promise<Mailable> {
    return mailableOf(this.#deps, picked, this.#of, this.#second())
  }

  /** Asks about one that is about to be handed over. */
  one(delivery: DeliveryRecord): Promise<Answer> {
    return new Promise((answer, fail) => {
      this.#asked.push({ delivery, answer, fail })
      if (!this.#isReading) void this.#read()
    })
  }

  async #read(): Promise<void> {
    this.#isReading = true
    while (this.#asked.length > 0) {
      const asked = this.#asked.splice(0)
      try {
        const found = await this.all(asked.map(({ delivery }) => delivery))
        for (const { delivery, answer } of asked) answer(answerIn(found, delivery))
      } catch (error) {
        for (const { fail } of asked) fail(error)
      }
    }
    this.#isReading = false
  }
}
