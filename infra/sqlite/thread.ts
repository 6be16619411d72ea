import { parentPort, Worker, type WorkerOptions, workerData } from 'node:worker_threads'

/** Error on its way between threads: an `Error` would lose SQLite's codes. */
interface Failure {
  readonly message: string
  readonly errcode: unknown
  readonly code: unknown
}

type Answer = { readonly number: number } & ({ readonly result: unknown } | { readonly failure: Failure })

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Young generation of a thread in MiB, unless it is given another: what it is asked lives for a turn. */
const YOUNG_MIB = 12

/** Thread that answers questions one after the other, in order. It keeps the process alive only while questions are open. */
export class Thread<Question, Result> {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  readonly #ended: Promise<void>
  #lastNumber = 0
  #endedBy: Error | undefined

  /** @param module the compiled file that calls `answer`, which passes `data` on */
  constructor(module: URL, data: unknown, options: Pick<WorkerOptions, 'transferList' | 'resourceLimits'> = {}) {
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MIB, ...options.resourceLimits }
    this.#worker = new Worker(module, { ...options, resourceLimits, workerData: data })
    this.#worker.unref()
    this.#worker.on('message', (answer: Answer) => this.#settle(answer))
    this.#worker.on('error', (error) => this.#fail(error))
    this.#ended = new Promise((resolve) =>
      this.#worker.once('exit', () => {
        this.#fail(new Error('the thread has ended'))
        resolve()
      }),
    )
  }

  /** @throws the error of the answer, with SQLite's codes; {Error} when the thread has ended */
  ask(question: Question): Promise<Result> {
    if (this.#endedBy) return Promise.reject(this.#endedBy)
    const number = ++this.#lastNumber
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject })
      if (this.#waiting.size === 1) this.#worker.ref()
      this.#worker.postMessage({ number, question })
    }) as Promise<Result>
  }

  /** Lets the thread answer its open questions and close its resources. */
  async close(): Promise<void> {
    if (this.#endedBy) return
    this.#worker.ref()
    this.#worker.postMessage('close')
    await this.#ended
  }

  /** Ends the thread in the midst of its work. Its open questions fail. */
  abort(): void {
    void this.#worker.terminate()
  }

  #settle({ number, ...answer }: Answer): void {
    const waiting = this.#waiting.get(number)
    this.#waiting.delete(number)
    if (this.#waiting.size === 0) this.#worker.unref()
    if ('failure' in answer) {
      const { message, ...codes } = answer.failure
      waiting?.reject(Object.assign(new Error(message), codes))
    } else waiting?.resolve(answer.result)
  }

  #fail(error: unknown): void {
    this.#endedBy ??= error instanceof Error ? error : new Error(String(error))
    for (const { reject } of this.#waiting.values()) reject(this.#endedBy)
    this.#waiting.clear()
  }
}

/** Handler of the questions of a thread. */
interface Handler<Question> {
  answer(question: Question): unknown
  /** Called at the end. */
  close(): void
}

/**
 * Answers questions; called in the thread.
 *
 * @param start creates the handler from the thread's data at the first question. If it fails, that question gets the error, and the next one tries again
 */
export const answer = <Data, Question>(start: (data: Data) => Handler<Question>): void => {
  const port = parentPort!
  let handler: Handler<Question> | undefined
  port.on('message', (message: 'close' | { readonly number: number; readonly question: Question }) => {
    if (message === 'close') {
      handler?.close()
      port.close()
      return
    }
    const { number, question } = message
    try {
      handler ??= start(workerData as Data)
      port.postMessage({ number, result: handler.answer(question) })
    } catch (error) {
      const { message: text, errcode, code } = error as Error & Failure
      port.postMessage({ number, failure: { message: String(text), errcode, code } })
    }
  })
}
