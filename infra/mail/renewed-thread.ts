import { Thread } from '../sqlite/thread.ts'

/** The thread ended at what it was asked, or took too long. */
export class ThreadEnded extends Error {}

export interface RenewedThreadOptions<Question> {
  readonly module: URL
  readonly data: unknown
  /** Memory of the thread, in MiB. */
  readonly mostMib: number
  /** Time after which a question is given up. */
  readonly mostMs: number
  /** A question of no weight: whoever answers it works. */
  readonly first: Question
}

/** A thread that is made for the first question, kept, and made anew when it has ended. It is asked one question at a time. */
export class RenewedThread<Question, Answer> {
  readonly #options: RenewedThreadOptions<Question>
  #thread: Thread<Question, Answer> | undefined

  constructor(options: RenewedThreadOptions<Question>) {
    this.#options = options
  }

  /** @throws {ThreadEnded} at this question; {Error} where no thread can be made, which is no question's fault */
  async ask(question: Question): Promise<Answer> {
    const thread = await this.#ready()
    const timer = setTimeout(() => this.end(), this.#options.mostMs)
    try {
      return await thread.ask(question)
    } catch (error) {
      this.end()
      throw new ThreadEnded(String(error))
    } finally {
      clearTimeout(timer)
    }
  }

  end(): void {
    this.#thread?.abort()
    this.#thread = undefined
  }

  async #ready(): Promise<Thread<Question, Answer>> {
    if (this.#thread) return this.#thread
    const { module, data, mostMib, first } = this.#options
    const resourceLimits = { maxOldGenerationSizeMb: mostMib }
    const thread = new Thread<Question, Answer>(module, data, { resourceLimits })
    await thread.ask(first)
    this.#thread = thread
    return thread
  }
}
