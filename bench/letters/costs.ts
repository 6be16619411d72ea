import path from 'node:path'
import { run } from '../child.ts'
import { programFile } from '../places.ts'
import { type Probe, ProbeSkipped } from '../probe.ts'
import { BY_PLATFORM_TOKEN, type Cost } from '../programs/cost.ts'
import { flagsOf } from '../service.ts'

/** (n) The cost of each part of a GET of a cached contact. */
export const costs: Probe = {
  benchmark: 'n',
  title: () => 'what each part of GET /contacts/{id} costs, in process, 500 contacts in memory; CPU of all threads',
  async prepare({ data, root, bare, scratch, profile }) {
    // The probe uses internals of the service, which differ in other commits.
    if (!bare) throw new ProbeSkipped('costs are of this build alone')
    const { directory, token, sample } = await data.small()
    const errors = path.join(await scratch('costs'), 'service.log')
    const args = [directory, token, JSON.stringify(sample.slice(0, 500))]
    return {
      async read() {
        const found = await run<readonly Cost[]>(programFile('costs', root), {
          args,
          flags: flagsOf(root),
          errors,
          profile,
        })
        return found.map(({ part, micros }) => ({ label: part, unit: 'µs', value: micros }))
      },
    }
  },
  targets: [{ says: 'authentication by a platform token, more than by a key, µs', of: BY_PLATFORM_TOKEN, atMost: 5 }],
  mostRounds: 3,
  warmUp: false,
}
