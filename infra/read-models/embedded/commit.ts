import { getSystemErrorName } from 'node:util'
import type { RootDatabase } from 'lmdb'

/** How far lmdb has come with a transaction; see the cases of `startWriting` in its write.js. What is none of these is an error. */
const STATUS = { onDisk: 0, visible: 1, callbacks: 2 } as const

type Progress = (status: number) => unknown
interface Environment {
  startWriting?(address: number, progress: Progress): unknown
}

/**
 * Commits batches of writes of one environment, one after the other. lmdb answers when a batch is on disk; read models can be
 * built again, so that here it is enough that readers see it. lmdb tells that, and why a commit failed, only to itself on the
 * way: it is overheard where that is possible, and visibility is never believed without a look.
 */
export class Commits {
  readonly #root: RootDatabase
  readonly #directory: string
  #seen: (() => void) | undefined
  #error: number | undefined
  #failure: unknown

  constructor(root: RootDatabase, directory: string) {
    this.#root = root
    this.#directory = directory
    this.#overhear()
  }

  /** Whether the last batch failed: lmdb then never tells that it has come to rest. */
  get failed(): boolean {
    return this.#error !== undefined
  }

  /**
   * Writes in one transaction; resolves when it is visible.
   * @throws {Error} when it fails, or when an earlier one failed to reach the disk after it had been visible.
   */
  async run(write: () => void, isVisible: () => boolean): Promise<void> {
    this.#throwFailure()
    this.#error = undefined
    let answered = false
    const seen = new Promise<void>((resolve) => {
      this.#seen = () => {
        this.#root.resetReadTxn()
        answered = isVisible()
        if (answered) resolve()
      }
    })
    const committed = this.#batch(write).then(
      () => undefined,
      (error: unknown) => {
        const failure = this.#failureBy(error)
        if (answered) this.#failure = failure
        throw failure
      },
    )
    await Promise.race([seen, committed])
  }

  /** What was written before `write` threw is committed all the same, and then has to be there for the next one to see. */
  #batch(write: () => void): Promise<unknown> {
    try {
      return this.#root.batch(write)
    } catch (error) {
      return this.#root.committed.then(() => Promise.reject(error))
    }
  }

  #overhear(): void {
    const { env } = this.#root as unknown as { readonly env?: Environment }
    const start = env?.startWriting
    if (!env || !start) return
    const value = (address: number, progress: Progress) => {
      const seen = this.#seen
      return start.call(env, address, (status) => {
        if (!Object.values<number>(STATUS).includes(status)) this.#error = status
        const answer = progress(status)
        if (status === STATUS.visible) seen?.()
        return answer
      })
    }
    Object.defineProperty(env, 'startWriting', { value })
  }

  #throwFailure(): void {
    const failure = this.#failure
    this.#failure = undefined
    if (failure) throw failure
  }

  #failureBy(error: unknown): unknown {
    const { commitError } = error as { readonly commitError?: Promise<never> }
    if (!commitError) return error
    commitError.catch(() => undefined) // says why, but is at times never settled
    const code = this.#error ?? 0
    const reason = code > 0 ? getSystemErrorName(-code) : `LMDB error ${code}`
    const message = `the read models in ${this.#directory} could not be written (${reason}): check the free space and the disk`
    return new Error(message, { cause: error })
  }
}
