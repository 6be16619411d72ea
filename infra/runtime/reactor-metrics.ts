import { Gauge, type Registry } from 'prom-client'
import type { Books } from '../../domain/kernel/ports/books.ts'

type Counts = Awaited<ReturnType<Books['counts']>>

/** So long a count serves: whoever scrapes often does not cost the store more. */
const COUNTED_EVERY_MS = 5000

/** The counts, asked for again when they are too old; a failure is not kept. */
const countsOf = (books: Pick<Books, 'counts'>): (() => Promise<Counts>) => {
  let counted = Number.NEGATIVE_INFINITY
  let counts: Promise<Counts> | undefined
  const ask = async (): Promise<Counts> => books.counts()
  return () => {
    if (counts && performance.now() - counted < COUNTED_EVERY_MS) return counts
    counted = performance.now()
    const asked = ask()
    counts = asked
    asked.catch(() => {
      if (counts === asked) counts = undefined
    })
    return asked
  }
}

/** Numbers of what is done later: what waits for its turn, and what was given up. */
export const addReactorMetrics = (registry: Registry, books: Pick<Books, 'counts'>): void => {
  const counts = countsOf(books)
  const gauge = (name: string, help: string, which: keyof Counts): void => {
    new Gauge({
      name,
      help,
      labelNames: ['reaction'],
      registers: [registry],
      async collect() {
        const numbers = (await counts())[which]
        this.reset()
        for (const [reaction, number] of numbers) this.set({ reaction }, number)
      },
    })
  }
  gauge('millrace_reactor_owed', 'Reactions that are written down because they wait, by reaction', 'owed')
  gauge('millrace_reactor_dead_letters', 'Reactions that were given up and wait for the operator, by reaction', 'dead')
}
