import { parentPort, Worker, type WorkerOptions, workerData } from 'node:worker_threads'

/** Errors lose what SQLite says of them on the way between threads. */
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

/** A thread that answers questions, one after the other, in their order. It does not keep the process alive by itself. */
export class Thread<Question, Result> {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  readonly #ended: Promise<void>
  #asked = 0
  #over: Error | undefined

  /** @param module the compiled file that calls `answer`; `data` reaches it as is */
  constructor(module: URL, data: unknown, options: Pick<WorkerOptions, 'transferList' | 'resourceLimits'> = {}) {
    this.#worker = new Worker(module, { ...options, workerData: data })
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

  /** @throws what answering throws, with SQLite's codes; {Error} when the thread has ended */
  ask(question: Question): Promise<Result> {
    if (this.#over) return Promise.reject(this.#over)
    const number = ++this.#asked
    return new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject })
      if (this.#waiting.size === 1) this.#worker.ref()
      this.#worker.postMessage({ number, question })
    }) as Promise<Result>
  }

  /** Lets it answer what it was asked and close what it has open. */
  async close(): Promise<void> {
    if (this.#over) return
    this.#worker.ref()
    this.#worker.postMessage('close')
    await this.#ended
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
    this.#over ??= error instanceof Error ? error : new Error(String(error))
    for (const { reject } of this.#waiting.values()) reject(this.#over)
    this.#waiting.clear()
  }
}

/** What answers the questions of a thread. */
interface Answering<Question> {
  answer(question: Question): unknown
  /** Called at the end. */
  close(): void
}

/**
 * In the thread: answers questions.
 *
 * @param start given the thread's data, when the first question has come: what fails here is told as an answer, and tried again with the next
 */
export const answer = <Data, Question>(start: (data: Data) => Answering<Question>): void => {
  const port = parentPort!
  let answering: Answering<Question> | undefined
  port.on('message', (message: 'close' | { readonly number: number; readonly question: Question }) => {
    if (message === 'close') {
      answering?.close()
      port.close()
      return
    }
    const { number, question } = message
    try {
      answering ??= start(workerData as Data)
      port.postMessage({ number, result: answering.answer(question) })
    } catch (error) {
      const { message: text, errcode, code } = error as Error & Failure
      port.postMessage({ number, failure: { message: String(text), errcode, code } })
    }
  })
}
