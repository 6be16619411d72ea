import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Config } from '../config.ts'
import type { Background } from './background.ts'
import { addReactorMetrics } from './reactor-metrics.ts'
import { REFRESHED_EVERY_MS, refreshed } from './refreshed.ts'

/** Returns the metrics of a process. Values from a server are read every few seconds at most, not for each scrape. */
export const metricsOf = (background: Background, { eventStoreUrl }: Pick<Config, 'eventStoreUrl'>): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'millrace_' })
  new Gauge({
    name: 'millrace_projection_position',
    help: 'Position in the log up to which documents are readable',
    registers: [registry],
    collect() {
      this.set(background.position)
    },
  })
  const { log } = background.stores
  const lastPosition = refreshed(() => log.lastPosition(), eventStoreUrl === undefined ? 0 : REFRESHED_EVERY_MS)
  new Gauge({
    name: 'millrace_log_position',
    help: 'Position of the last event in the log',
    registers: [registry],
    async collect() {
      const position = await lastPosition()
      if (position === undefined) this.remove()
      else this.set(position)
    },
  })
  const { reactorStore, writeAheadBytes } = background.stores
  addReactorMetrics(registry, reactorStore)
  if (writeAheadBytes)
    new Gauge({
      name: 'millrace_write_ahead_bytes',
      help: 'Size of the write-ahead log of a file; it grows while somebody reads the file for long',
      labelNames: ['file'],
      registers: [registry],
      collect() {
        for (const [file, bytes] of Object.entries(writeAheadBytes())) this.set({ file }, bytes)
      },
    })
  return registry
}
