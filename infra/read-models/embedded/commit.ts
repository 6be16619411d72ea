import type { RootDatabase } from 'lmdb'

/** What lmdb calls while it writes; 1 stands for a transaction that readers can see, though it may not be on disk yet. */
type Progress = (status: number) => unknown
interface Environment {
  startWriting?(address: number, progress: Progress): unknown
}
const VISIBLE = 1

/**
 * Commits batches of writes of one environment, one after the other. lmdb answers when a batch is on disk; the documents can be
 * derived again, so that here it is enough that readers see it. lmdb says so on the way, but only to itself: the hint is
 * listened to where it exists, and never believed without a look (`isVisible`).
 */
export class Commits {
  readonly #root: RootDatabase
  #seen: (() => void) | undefined
  #failure: unknown

  constructor(root: RootDatabase) {
    this.#root = root
    const { env } = root as unknown as { readonly env?: Environment }
    const start = env?.startWriting
    if (!env || !start) return
    const value = (address: number, progress: Progress) => {
      const seen = this.#seen
      return start.call(env, address, (status) => {
        const answer = progress(status)
        if (status === VISIBLE) seen?.()
        return answer
      })
    }
    Object.defineProperty(env, 'startWriting', { value })
  }

  /**
   * Writes in one transaction; resolves when it is visible.
   * @throws when it fails, or when an earlier one failed to reach the disk after it had been visible.
   */
  async run(write: () => void, isVisible: () => boolean): Promise<void> {
    this.#throwFailure()
    let answered = false
    const seen = new Promise<void>((resolve) => {
      this.#seen = () => {
        this.#root.resetReadTxn()
        answered = isVisible()
        if (answered) resolve()
      }
    })
    const committed = this.#root.batch(write).then(
      () => undefined,
      (error: unknown) => {
        if (answered) this.#failure = error
        throw error
      },
    )
    await Promise.race([seen, committed])
  }

  #throwFailure(): void {
    const failure = this.#failure
    this.#failure = undefined
    if (failure) throw failure
  }
}
