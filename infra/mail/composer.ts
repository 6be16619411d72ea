import { AddressUnusable } from '../../domain/emails/composing/compose.ts'
import type { MailComposer, MailToCompose } from '../../domain/emails/composing/composer.ts'
import { LiquidFailed } from '../../domain/emails/liquid/render.ts'
import type {
  AuthoredMail,
  AuthoredTexts,
  TextProblem,
  TextToRender,
} from '../../domain/kernel/ports/authored-texts.ts'
import type { ComposedMail } from '../../domain/kernel/ports/mail-transport.ts'
import type { Answer, Composed, Question } from './composer-thread.ts'
import { RenewedThread, ThreadEnded } from './renewed-thread.ts'
import { Turns } from './turns.ts'

/** Mails of one letter that are composed in one go: all that begin together over the connections of a server. */
const BATCH = 32

export interface ComposerOptions {
  /** Key that signs the links of mails. */
  readonly key: Uint8Array
  /** Returns the origin of the public listener. */
  readonly origin: () => string
  /** Time after which what is worked at together is given up. The budget ends every template long before. */
  readonly mostMs?: number
  /** Memory of the thread, in MiB. */
  readonly mostMib?: number
  /** The compiled file of the thread. */
  readonly module?: URL
}

interface Settling<T> {
  readonly resolve: (answer: T) => void
  readonly reject: (error: unknown) => void
}

interface WaitingMail extends MailToCompose, Settling<ComposedMail> {
  /** It was under way when the thread ended, with others: whose fault that was is not known. */
  readonly isSuspect: boolean
}

/** Something that is not a mail. Somebody waits for its answer. */
interface WaitingText extends Settling<Answer> {
  readonly question: Question
}

const MOST_MS = 30_000
const MOST_MIB = 64
const TOO_MUCH = 'Composing it took too much time or memory'

const closed = (): Error => new Error('mails are composed no more')

/** How many mails go together: those of one letter, if they are not suspect. */
const together = (all: readonly WaitingMail[]): number => {
  const [first] = all
  const isMore = (one: WaitingMail | undefined) =>
    one && one.letter === first?.letter && !one.isSuspect && !first.isSuspect
  let count = 1
  while (count < BATCH && isMore(all[count])) count++
  return count
}

/** Composes mails, and works with texts of authors, in one thread. What somebody waits for takes turns with mails. */
class ThreadComposer implements MailComposer, AuthoredTexts {
  readonly #origin: () => string
  readonly #thread: RenewedThread<Question, Answer>
  readonly #mails = new Turns<WaitingMail>()
  readonly #texts = new Turns<WaitingText>()
  #isBusy = false
  #isClosed = false

  constructor({ key, origin, mostMs = MOST_MS, mostMib = MOST_MIB, module }: ComposerOptions) {
    this.#origin = origin
    this.#thread = new RenewedThread({
      module: module ?? new URL('./composer-thread.js', import.meta.url),
      ...{ data: { key }, mostMs, mostMib, first: { draft: {} } },
    })
  }

  compose(mail: MailToCompose): Promise<ComposedMail> {
    if (this.#isClosed) return Promise.reject(closed())
    return new Promise((resolve, reject) => {
      this.#mails.add(mail.workspaceId, { ...mail, isSuspect: false, resolve, reject })
      this.#begin()
    })
  }

  async problemsIn(workspaceId: number, draft: AuthoredMail): Promise<readonly TextProblem[]> {
    const answer = await this.#ask(workspaceId, { draft })
    if (answer && 'problems' in answer) return answer.problems
    const text = draft.html_body ? 'html_body' : draft.text_body ? 'text_body' : 'subject'
    return [{ text, says: TOO_MUCH }]
  }

  async render(workspaceId: number, text: TextToRender): Promise<string | undefined> {
    const answer = await this.#ask(workspaceId, { text })
    return answer && 'rendered' in answer ? answer.rendered : undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of [...this.#mails.takeAll(), ...this.#texts.takeAll()]) reject(closed())
    this.#thread.end()
  }

  /** @returns `undefined` where the thread ended at it */
  #ask(workspaceId: number, question: Question): Promise<Answer | undefined> {
    if (this.#isClosed) return Promise.reject(closed())
    const asked = new Promise<Answer>((resolve, reject) => {
      this.#texts.add(workspaceId, { question, resolve, reject })
      this.#begin()
    })
    return asked.catch((error: unknown) => {
      if (error instanceof ThreadEnded && !this.#isClosed) return undefined
      throw error
    })
  }

  #begin(): void {
    if (this.#isBusy) return
    this.#isBusy = true
    // Those that are asked for in one turn go together.
    setImmediate(() => void this.#run())
  }

  async #run(): Promise<void> {
    for (;;) {
      const [text] = this.#texts.take()
      if (text) await this.#thread.ask(text.question).then(text.resolve, text.reject)
      const mails = this.#mails.take(together)
      if (mails.length > 0) await this.#composeAll(mails)
      else if (!text) break
    }
    this.#isBusy = false
  }

  async #composeAll(batch: readonly WaitingMail[]): Promise<void> {
    const recipients = batch.map(({ recipient }) => recipient)
    try {
      const answer = await this.#thread.ask({ letter: batch[0]!.letter, recipients, origin: this.#origin() })
      for (const [index, one] of batch.entries()) settle(one, 'mails' in answer ? answer.mails[index] : undefined)
    } catch (error) {
      if (error instanceof ThreadEnded && !this.#isClosed) this.#blame(batch)
      else for (const { reject } of batch) reject(error)
    }
  }

  /** The thread ended at a mail, which fails. Of several each is tried again alone. */
  #blame(batch: readonly WaitingMail[]): void {
    const [first] = batch
    if (first && batch.length === 1) first.reject(new LiquidFailed(TOO_MUCH, 'text'))
    else if (first)
      this.#mails.putBack(
        first.workspaceId,
        batch.map((one) => ({ ...one, isSuspect: true })),
      )
  }
}

const settle = ({ resolve, reject }: WaitingMail, answer: Composed | undefined): void => {
  if (!answer) reject(new Error('the thread has left out a mail'))
  else if ('mail' in answer) resolve(answer.mail)
  else if (answer.failed === 'rendering') reject(new LiquidFailed(answer.message, 'value'))
  else reject(answer.failed === 'address' ? new AddressUnusable(answer.message) : new Error(answer.message))
}

/** Opens the composer of mails. Its thread is made for the first of them, and kept. */
export const openMailComposer = (options: ComposerOptions): MailComposer & AuthoredTexts => new ThreadComposer(options)
