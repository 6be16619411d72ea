import { cpuOf } from '../cpu.ts'
import { fire } from '../load.ts'
import type { Probe } from '../probe.ts'
import { warm } from '../request-load.ts'
import { quantile } from '../statistics.ts'
import { mixOf } from '../targets.ts'

const CONNECTIONS = 64
const READ = 200
const CREATED = 201

/** (j) Reads and creates by the same clients. */
export const mixed: Probe = {
  benchmark: 'j',
  title: () => `GET /contacts/{id} and POST contacts, 80 : 20, ${CONNECTIONS} connections`,
  async prepare({ effort, data, start }) {
    const set = await data.fresh()
    const service = await start(set.directory)
    const target = mixOf(service.ready.origin, set)
    await warm(target)
    return {
      async read() {
        const { value, cpu } = await cpuOf(service.pid, () => fire(target, CONNECTIONS, effort.seconds))
        const times = (status: number, q: number) => quantile(value.byStatus.get(status) ?? [], q)
        return [
          { label: 'both', unit: 'requests/s', value: value.perSecond },
          { label: 'both, CPU', unit: 'µs/request', value: cpu && cpu / value.latencies.length },
          { label: 'reads, p50', unit: 'ms', value: times(READ, 0.5) },
          { label: 'reads, p99', unit: 'ms', value: times(READ, 0.99) },
          { label: 'creates, p50', unit: 'ms', value: times(CREATED, 0.5) },
          { label: 'creates, p99', unit: 'ms', value: times(CREATED, 0.99) },
        ]
      },
    }
  },
  targets: ['reads, p50', 'reads, p99', 'creates, p50', 'creates, p99'].map((of) => ({
    says: `${of}, mixed 80 : 20, ${CONNECTIONS} connections`,
    of,
  })),
}
