import { Gauge, type Registry } from 'prom-client'
import type { Books } from '../../domain/kernel/ports/reactor-store.ts'
import { refreshed } from './refreshed.ts'

type Counts = Awaited<ReturnType<Books['counts']>>

/** Numbers of what is done later: what waits for its turn, and what was given up. */
export const addReactorMetrics = (
  registry: Registry,
  books: Pick<Books, 'counts'>,
  everyMs?: number | undefined,
): void => {
  const counts = refreshed(async () => books.counts(), everyMs)
  const gauge = (name: string, help: string, which: keyof Counts): void => {
    new Gauge({
      name,
      help,
      labelNames: ['reaction'],
      registers: [registry],
      async collect() {
        const numbers = (await counts())?.[which] ?? []
        this.reset()
        for (const [reaction, number] of numbers) this.set({ reaction }, number)
      },
    })
  }
  gauge('millrace_reactor_owed', 'Reactions that are written down because they wait, by reaction', 'owed')
  gauge('millrace_reactor_dead_letters', 'Reactions that were given up and wait for the operator, by reaction', 'dead')
}
