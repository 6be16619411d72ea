import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { PREFIX, type Route, routesOf } from '../../api/routes.ts'
import { resources } from '../../domain/index.ts'
import { apiClient } from '../support/client.ts'
import { millrace, type Spawned, spawnMillrace } from '../support/millrace.ts'
import { recordMakers } from '../support/records.ts'
import type { Tenant } from '../support/service.ts'

/**
 * Starts a service and sends it requests that Schemathesis draws from the served OpenAPI document, until the wanted number is reached.
 * Fails when an answer has a 5xx status or violates the document.
 */
const { values: flags } = parseArgs({
  options: {
    requests: { type: 'string', default: '50000' },
    seed: { type: 'string', default: '1' },
    program: { type: 'string', default: process.env.SCHEMATHESIS ?? 'schemathesis' },
  },
})

const HOOKS = path.join(import.meta.dirname, '../../../test/schemathesis/hooks.py')
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]
/** Examples of each operation in one round. */
const EXAMPLES = 30
const RECORDS_OF_EACH = 5

type Ids = Record<string, number[]>
type Statuses = Readonly<Record<string, number>>

const routes = routesOf(resources)
const pathOf = (route: Route): string => PREFIX + route.path

/** Resources that the parameters of each path name. */
const named = Object.fromEntries(
  routes.map((route) => {
    const { param, resource: owner } = route.resource.under
    const parameters = [...route.path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!)
    return [
      pathOf(route),
      Object.fromEntries(parameters.map((name) => [name, name === param ? owner : route.resource.name])),
    ]
  }),
)

/** Resource whose records an operation creates or lists, by method and path. */
const made = Object.fromEntries(
  routes
    .filter(({ method, operation }) => method === 'POST' || operation.kind === 'list')
    .map((route) => [`${route.method} ${pathOf(route)}`, route.resource.name]),
)

/** Resources that the fields of a body refer to, by method and path. */
const refers = Object.fromEntries(
  routes.flatMap((route) => {
    const { operation } = route
    if (operation.kind !== 'write' || !operation.body) return []
    const fields = Object.entries(operation.body.fields).flatMap(([name, { refersTo }]) =>
      refersTo ? [[name, refersTo]] : [],
    )
    return [route.method, ...route.alsoMethods].map((method) => [
      `${method} ${pathOf(route)}`,
      Object.fromEntries(fields),
    ])
  }),
)

const makeRecords = async (tenant: Tenant): Promise<Ids> => {
  const ids: Ids = {}
  for (const [resource, { make }] of Object.entries(recordMakers)) {
    const found = new Set<number>()
    // No request creates what a page sends.
    if (resource === 'form_submission') continue
    for (let number = 0; number < RECORDS_OF_EACH; number++) found.add(await make(tenant))
    ids[resource] = [...found]
  }
  return ids
}

/** Creates a test workspace, since some records need its clock. */
const tenantOf = async ({ ready }: Spawned, data: string): Promise<Tenant> => {
  const asked = async (...args: readonly string[]) => JSON.parse((await millrace([...args, '--data', data])).out)
  const { workspace_id: workspaceId } = await asked('workspace', 'create', '--name', 'Drawn', '--test')
  const { token } = await asked('keys', 'create', '--team', '--workspace', String(workspaceId), '--json')
  const api = apiClient(ready.origin, token)
  const [team] = (await api.get('/teams')).body
  // The key reaches the whole team.
  const withScopes = async () => api
  return { teamId: team.id, workspaceId, token, api, withScopes }
}

/** Runs one round over all operations. @returns whether it passed, and the number of answers by status */
const round = async (service: Spawned, tenant: Tenant, data: string, seed: number): Promise<[boolean, Statuses]> => {
  const [records, counts] = [path.join(data, 'fuzz-records.json'), path.join(data, 'fuzz-counts.json')]
  await writeFile(records, JSON.stringify({ named, made, refers, ids: await makeRecords(tenant), seed }))
  const args = ['run', `${service.ready.origin}${PREFIX}.json`, '--seed', String(seed), '--checks', CHECKS.join(',')]
  args.push('--header', `Authorization: Bearer ${tenant.token}`, '--phases', 'coverage,fuzzing', '--warnings', 'off')
  // Every other round sends valid requests only, which reach deeper.
  args.push('--mode', seed % 2 === 0 ? 'all' : 'positive')
  args.push('--max-examples', String(EXAMPLES), '--continue-on-failure', '--workers', '1')
  const child = spawn(flags.program, args, {
    env: { ...process.env, SCHEMATHESIS_HOOKS: HOOKS, FUZZ_RECORDS: records, FUZZ_COUNTS: counts, NO_COLOR: '1' },
    cwd: data,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (text) => {
    said += text
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', () =>
      reject(new Error(`${flags.program} cannot be run: install schemathesis, and name it by --program`)),
    )
    child.once('close', resolve)
  })
  if (code !== 0) process.stdout.write(said)
  return [code === 0, JSON.parse(await readFile(counts, 'utf8')) as Statuses]
}

const data = await mkdtemp(path.join(tmpdir(), 'millrace-schemathesis-'))
const service = await spawnMillrace(path.join(data, 'data'), {
  MILLRACE_LOG_LEVEL: 'error',
  MILLRACE_ALLOW_PRIVATE_TARGETS: '1',
})
const statuses: Record<string, number> = {}
let [sent, failedRounds, rounds] = [0, 0, 0]
for (let seed = Number(flags.seed); sent < Number(flags.requests); seed++) {
  // A new tenant for each round: earlier requests may have left records from which no others can be made.
  const tenant = await tenantOf(service, path.join(data, 'data'))
  const [passed, counted] = await round(service, tenant, data, seed)
  rounds++
  if (!passed) failedRounds++
  for (const [status, count] of Object.entries(counted)) {
    statuses[status] = (statuses[status] ?? 0) + count
    sent += count
  }
  const by = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`)
  console.log(`seed ${seed}: ${passed ? 'nothing found' : 'see above'}; ${sent} requests so far; ${by.join(', ')}`)
}
const code = await service.stop()
await rm(data, { recursive: true, force: true })
console.log(`${rounds - failedRounds} passed, ${failedRounds} failed`)
process.exit(failedRounds === 0 && code === 0 ? 0 : 1)
