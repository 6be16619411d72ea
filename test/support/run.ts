import { readdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { closing, NOTHING, runGroup, sum } from './group.ts'

/**
 * Runs the suites, one process a group, and closes with the names of what failed and one line that counts them all. With arguments only those whose path begins with one of
 * them; with `--under PROGRAM` in another Node.js. A process of its own keeps what native code
 * leaves behind in one group (maps of closed databases, above all) from another.
 */
const GROUPS: readonly (readonly string[])[] = [
  ['kernel/', 'domain/', 'contract/', 'projections/', 'docs/'],
  ['api/', 'workers/', 'examples/'],
  ['cli/'],
  ['infra/log-db/', 'infra/read-models/', 'infra/key-halves', 'infra/data-directory'],
  ['infra/eventstoredb/'],
  ['infra/mongodb/'],
  ['reliability/'],
  ['e2e/'],
  // Whatever no other group has.
  [''],
]

const { values: flags, positionals } = parseArgs({
  options: { under: { type: 'string', default: process.execPath } },
  allowPositionals: true,
})

const TESTS = path.join(import.meta.dirname, '..')

/** Every suite once, in the first group that names the beginning of its path. */
const suitesByGroup = (): readonly (readonly string[])[] => {
  let left = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.spec.js'))
    // They harm real servers: `npm run test:servers` runs them.
    .filter((file) => positionals.length > 0 || !file.startsWith('servers/'))
  return (positionals.length > 0 ? [positionals] : GROUPS)
    .map((beginnings) => {
      const belongs = (file: string) => beginnings.some((beginning) => file.startsWith(beginning))
      const group = left.filter(belongs).sort()
      left = left.filter((file) => !belongs(file))
      return group.map((file) => path.join(TESTS, file))
    })
    .filter((group) => group.length > 0)
}

let total = NOTHING
for (const specs of suitesByGroup()) total = sum(total, await runGroup(specs, { under: flags.under }))
process.stdout.write(closing(total))
process.exit(total.failed === 0 ? 0 : 1)
