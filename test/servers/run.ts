import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Counts, closing, NOTHING, runGroup, sum } from '../support/group.ts'
import { ferretdb, javaServer, type MongoServer } from '../support/servers/mongo-servers.ts'
import { type EventStoreNode, missingNode, NODE_COMMAND, startNode, temporaryFolder } from './node.ts'

/**
 * Runs the suites on a real EventStoreDB and on servers of MongoDB's protocol, twice in a row on the same data, and then the faults. With
 * arguments it runs only suites whose path begins with one of them. Missing servers are reported.
 */

/** Suites that do not depend on the kind of stores. The others test the embedded stores, or start the servers they need. */
const SUITES = [
  'api/',
  'browser/demo-funnel',
  'workers/erasure',
  'domain/event-fixtures',
  'e2e/backups',
  'e2e/domain-migration',
  'e2e/processes',
  'infra/audience-model',
  'infra/eventstoredb/contract',
  'infra/leases',
  'reliability/delivered-again',
  'reliability/follow-up',
  'reliability/replay',
  'reliability/repeats',
  'reliability/year',
]
/** What starts the nodes that it needs. */
const FAULTS = ['servers/', 'reliability/eventstoredb-alone']

const TESTS = path.join(import.meta.dirname, '..')
const asked = process.argv.slice(2)
const { EVENTSTOREDB_URL, MONGODB_URL } = process.env

const say = (text: string) => process.stdout.write(`${text}\n`)

const suitesUnder = (beginnings: readonly string[]): readonly string[] =>
  readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.spec.js') && beginnings.some((beginning) => file.startsWith(beginning)))
    .filter((file) => asked.length === 0 || asked.some((beginning) => file.startsWith(beginning)))
    .map((file) => path.join(TESTS, file))
    .sort()

const OWN = /\b(?:startTestService|serversOfItsOwn)\(/
const IMPORTED = /\bfrom '(\.[^']+)'/g
const SERVICE = path.join(TESTS, 'support/service.js')

/**
 * Whether a suite, or what it imports, starts a service with its own log, which needs the command that starts a node. The node runs as long as the suite's
 * process.
 */
const startsItsOwn = (file: string): boolean => {
  const text = readFileSync(file, 'utf8')
  if (OWN.test(text)) return true
  const imported = [...text.matchAll(IMPORTED)].map(([, to = '']) => path.join(path.dirname(file), to))
  return imported.some((one) => one.startsWith(TESTS) && one !== SERVICE && OWN.test(readFileSync(one, 'utf8')))
}

const has = (program: string): boolean => {
  try {
    execFileSync('which', [program], {
      stdio: 'ignore',
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/local/go/bin` },
    })
    return true
  } catch {
    return false
  }
}

/** Suites that write so much data that they get a separate log on a slow server. */
const LARGE = ['api/every/every-operation', 'api/commerce/purchases']

/** The load for a server. */
interface Measure {
  /** Number of suites that share a log and a database. */
  readonly together: number
  readonly env: Readonly<Record<string, string>>
}

interface Backing extends Measure {
  readonly name: string
  url(): Promise<string>
}

/** FerretDB scans the whole collection for an integer id: with the data of all suites together it would take hours. */
const SLOW: Measure = { together: 6, env: { FUZZ_REQUESTS: '1500', DELIVERY_ORDERS: '20' } }
const QUICK: Measure = { together: Number.POSITIVE_INFINITY, env: {} }

/** Servers for the read models, as far as they are there. Says which are not, and why. */
const backings = (): readonly Backing[] => {
  if (MONGODB_URL) return [{ ...QUICK, name: 'MONGODB_URL', url: async () => MONGODB_URL }]
  const tools: readonly (readonly [MongoServer, string, Measure])[] = [
    [ferretdb, 'go', SLOW],
    [javaServer, 'mvn', QUICK],
  ]
  return tools.flatMap(([server, tool, measure]) => {
    if (!server.missing) return [{ ...server, ...measure }]
    const why = has(tool)
      ? `${server.missing}, or says why it cannot`
      : `there is no ${tool} on this machine to build it with`
    say(`${server.name}: skipped, ${why}`)
    return []
  })
}

/** Runs suites twice on the same data. The second time the log is not empty, and the node has been restarted if it is ours. */
const twice = async (specs: readonly string[], { name, env }: Backing, mongoUrl: string): Promise<Counts> => {
  let total = NOTHING
  let node: EventStoreNode | undefined
  if (NODE_COMMAND) node = await startNode(temporaryFolder('log'))
  for (const turn of ['on an empty log', 'again on the same data']) {
    say(`\n== EventStoreDB and ${name}, ${turn}`)
    const servers = { EVENTSTOREDB_URL: node?.url ?? EVENTSTOREDB_URL!, MONGODB_URL: mongoUrl }
    const how = { flags: ['--timeout', '120000'], env: { ...env, ...servers } }
    const sharing = specs.filter((file) => !startsItsOwn(file))
    if (sharing.length > 0) total = sum(total, await runGroup(sharing, how))
    for (const file of specs.filter(startsItsOwn)) total = sum(total, await runGroup([file], how))
    await node?.end()
    if (turn.startsWith('on')) await node?.start()
  }
  return total
}

/** Groups suites by the log that they share. */
const portionsOf = (specs: readonly string[], together: number): readonly (readonly string[])[] => {
  if (together >= specs.length) return [specs]
  const isLarge = (file: string) => LARGE.some((beginning) => file.startsWith(path.join(TESTS, beginning)))
  const usual = specs.filter((file) => !isLarge(file))
  const portions = Array.from({ length: Math.ceil(usual.length / together) }, (_, number) =>
    usual.slice(number * together, (number + 1) * together),
  )
  return [...portions, ...specs.filter(isLarge).map((file) => [file])]
}

/** Runs all suites, on as many logs as the server needs. */
const allOn = async (backing: Backing): Promise<Counts> => {
  const specs = suitesUnder(SUITES).filter((file) => NODE_COMMAND || !startsItsOwn(file))
  let total = NOTHING
  for (const [number, portion] of portionsOf(specs, NODE_COMMAND ? backing.together : specs.length).entries()) {
    const database = `${(await backing.url()).replace(/\/$/, '')}/suites${number === 0 ? '' : number}`
    total = sum(total, await twice(portion, backing, database))
  }
  return total
}

const everything = async (): Promise<Counts> => {
  const behind = backings()
  if (behind.length === 0) {
    say('skipped: there is neither a MONGODB_URL nor a server that speaks its protocol')
    return NOTHING
  }
  let total = NOTHING
  // There is only one log when the node is not ours. Each backing has its own keys, so only one of them can be used with it.
  for (const backing of NODE_COMMAND ? behind : behind.slice(0, 1)) total = sum(total, await allOn(backing))
  if (!NODE_COMMAND) {
    say(`suites that need a log of their own, and the faults: ${missingNode}`)
    return total
  }
  const faults = suitesUnder(FAULTS)
  if (faults.length === 0) return total
  say('\n== Faults')
  return sum(total, await runGroup(faults, { flags: ['--timeout', '3600000'], verbose: true }))
}

if (!NODE_COMMAND && !EVENTSTOREDB_URL) {
  say(
    'skipped: neither EVENTSTOREDB_COMMAND (what starts an EventStoreDB) nor EVENTSTOREDB_URL is set (docs/reliability.md)',
  )
  process.exit(0)
}
// Exit handlers end the servers that were started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const total = await everything()
say(closing(total))
process.exit(total.failed === 0 ? 0 : 1)
