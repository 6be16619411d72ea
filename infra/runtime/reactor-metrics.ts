import { Gauge, type Registry } from 'prom-client'
import type { ReactorStore } from '../../domain/kernel/ports/reactor-store.ts'
import { refreshed } from './refreshed.ts'

type Counts = Awaited<ReturnType<ReactorStore['counts']>>

/** Adds metrics of the reactor: pending tasks, and dead letters. */
export const addReactorMetrics = (
  registry: Registry,
  reactorStore: Pick<ReactorStore, 'counts'>,
  everyMs?: number | undefined,
): void => {
  const counts = refreshed(async () => reactorStore.counts(), everyMs)
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
  gauge('millrace_reactor_owed', 'Reactions that are written down because they wait, by reaction', 'pending')
  gauge(
    'millrace_reactor_dead_letters',
    'Reactions that were given up and wait for the operator, by reaction',
    'deadLetters',
  )
}
