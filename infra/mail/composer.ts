import { AddressUnusable, type Letter } from '../../domain/emails/composing/compose.ts'
import type { MailComposer, MailToCompose } from '../../domain/emails/composing/composer.ts'
import { LiquidFailed } from '../../domain/emails/liquid/render.ts'
import type { ComposedMail } from '../../domain/kernel/ports/mail-transport.ts'
import { getOrInsert } from '../../domain/kernel/values/get-or-insert.ts'
import { Thread } from '../sqlite/thread.ts'
import type { Batch, Composed } from './composer-thread.ts'

/** Mails of one letter that are composed in one go. */
const BATCH = 16

export interface ComposerOptions {
  /** Key that signs the links of mails. */
  readonly key: Uint8Array
  /** Returns the origin of the public listener. */
  readonly origin: () => string
  /** Time after which mails are given up that are composed together. The budget ends every template long before. */
  readonly mostMs?: number
  /** Memory of the thread, in MiB. */
  readonly mostMib?: number
  /** The compiled file of the thread. */
  readonly module?: URL
}

interface Waiting extends MailToCompose {
  /** It was under way when the thread ended, with others: whose fault that was is not known. */
  readonly isSuspect: boolean
  readonly resolve: (mail: ComposedMail) => void
  readonly reject: (error: unknown) => void
}

const MOST_MS = 30_000
const MOST_MIB = 128

/** Composes mails in a thread, which is made anew when it ends. */
class ThreadComposer implements MailComposer {
  readonly #options: ComposerOptions
  /** Mails that wait, by workspace. The one whose turn was last is at the end. */
  readonly #waiting = new Map<number, Waiting[]>()
  #thread: Thread<Batch, readonly Composed[]> | undefined
  #isBusy = false
  #isClosed = false

  constructor(options: ComposerOptions) {
    this.#options = options
  }

  compose(mail: MailToCompose): Promise<ComposedMail> {
    if (this.#isClosed) return Promise.reject(new Error('mails are composed no more'))
    return new Promise((resolve, reject) => {
      getOrInsert(this.#waiting, mail.workspaceId, () => [] as Waiting[]).push({
        ...mail,
        isSuspect: false,
        resolve,
        reject,
      })
      // Those that are asked for in one turn go together.
      if (!this.#isBusy) {
        this.#isBusy = true
        setImmediate(() => void this.#run())
      }
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const all of this.#waiting.values())
      for (const { reject } of all) reject(new Error('mails are composed no more'))
    this.#waiting.clear()
    this.#end()
  }

  async #run(): Promise<void> {
    for (let batch = this.#next(); batch.length > 0; batch = this.#next()) await this.#composeAll(batch)
    this.#isBusy = false
  }

  /** Takes the next mails of one letter: those of the workspace whose last turn is longest ago. */
  #next(): readonly Waiting[] {
    for (const [workspace, all] of this.#waiting) {
      this.#waiting.delete(workspace)
      const [first] = all
      if (!first) continue
      const isMore = ({ letter, isSuspect }: Waiting) => letter === first.letter && !isSuspect && !first.isSuspect
      let count = 1
      while (count < BATCH && count < all.length && isMore(all[count]!)) count++
      const batch = all.splice(0, count)
      if (all.length > 0) this.#waiting.set(workspace, all)
      return batch
    }
    return []
  }

  async #composeAll(batch: readonly Waiting[]): Promise<void> {
    const fail = (error: unknown) => {
      for (const { reject } of batch) reject(error)
    }
    const thread = await this.#ready(batch[0]!.letter).catch(fail)
    if (!thread) return
    const recipients = batch.map(({ recipient }) => recipient)
    const question = { letter: batch[0]!.letter, recipients, origin: this.#options.origin() }
    const timer = setTimeout(() => this.#end(), this.#options.mostMs ?? MOST_MS)
    try {
      const answers = await thread.ask(question)
      for (const [index, one] of batch.entries()) settle(one, answers[index]!)
    } catch (error) {
      this.#end()
      this.#blame(batch, error)
    } finally {
      clearTimeout(timer)
    }
  }

  /** The thread ended at a mail, which fails. Of several each is tried again alone. */
  #blame(batch: readonly Waiting[], error: unknown): void {
    const [first] = batch
    if (this.#isClosed) for (const { reject } of batch) reject(error)
    else if (first && batch.length === 1) first.reject(new LiquidFailed('Composing it took too much time or memory'))
    else if (first) {
      const suspects = batch.map((one) => ({ ...one, isSuspect: true }))
      getOrInsert(this.#waiting, first.workspaceId, () => [] as Waiting[]).unshift(...suspects)
    }
  }

  /** Returns a thread that has answered. @throws {Error} where none can be made, which is no mail's fault */
  async #ready(letter: Letter): Promise<Thread<Batch, readonly Composed[]>> {
    if (this.#thread) return this.#thread
    const { key, mostMib = MOST_MIB, module = new URL('./composer-thread.js', import.meta.url) } = this.#options
    const thread = new Thread<Batch, readonly Composed[]>(
      module,
      { key },
      { resourceLimits: { maxOldGenerationSizeMb: mostMib } },
    )
    await thread.ask({ letter, recipients: [], origin: '' })
    this.#thread = thread
    return thread
  }

  #end(): void {
    this.#thread?.abort()
    this.#thread = undefined
  }
}

const settle = ({ resolve, reject }: Waiting, answer: Composed): void => {
  if ('mail' in answer) resolve(answer.mail)
  else if (answer.failed === 'rendering') reject(new LiquidFailed(answer.message))
  else reject(answer.failed === 'address' ? new AddressUnusable(answer.message) : new Error(answer.message))
}

/** Opens the composer of mails. Its thread is made for the first mail, and kept. */
export const openMailComposer = (options: ComposerOptions): MailComposer => new ThreadComposer(options)
