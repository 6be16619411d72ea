import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Background } from './background.ts'
import { addReactorMetrics } from './reactor-metrics.ts'

/** What a process tells of itself in numbers. */
export const metricsOf = (background: Background): Registry => {
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
  new Gauge({
    name: 'millrace_log_position',
    help: 'Position of the last event in the log',
    registers: [registry],
    async collect() {
      this.set(await background.stores.log.lastPosition())
    },
  })
  const { books, writeAheadBytes } = background.stores
  addReactorMetrics(registry, books)
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
