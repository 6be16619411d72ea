import { Command } from 'commander'
import { type Route, routesOf } from '../api/routes.ts'
import { resources } from '../domain/index.ts'
import type { WriteOperation } from '../domain/resources/operation.ts'
import { bodyFor, inBody, pathFor } from '../test/support/operations.ts'
import { mochaHooks, startTestService, type Tenant } from '../test/support/service.ts'
import { agentRequests } from './sweep/agents.ts'
import { lineOf } from './sweep/finding.ts'
import { AT_LIMITS, type Fields, type Variant, variantsOf } from './sweep/largest.ts'
import { MOST_MS, measure, once, type Sweep, send } from './sweep/measure.ts'
import { longPages } from './sweep/pages.ts'
import { nestSplits } from './sweep/splits.ts'
import { type Watched, watching } from './sweep/watch.ts'

/**
 * Sends the largest bodies to every operation, reads what they made, and prints what held the event loop. The service runs in this process; what is sent and
 * received is the work of another thread.
 */

/** Fields that are taken back one after the other where they are refused. */
const REFUSALS = 8
const PAGE = 20
/** Length from which on a value is made for every record of a page. */
const EACH_LONG = 2000

interface Sweeping {
  readonly route: Route
  readonly body: NonNullable<WriteOperation['body']>
  readonly token: string
  prepared(): Promise<{ readonly path: string; readonly usual: Fields }>
}

interface Accepted {
  readonly answer: Watched
  readonly variant: Variant
}

/** Leaves out what a refusal names. */
const withoutRefused = ({ text }: Watched, { name, fields }: Variant, usual: Fields): Variant | undefined => {
  let refused: readonly string[] = []
  try {
    const { details } = JSON.parse(text) as { details: readonly { readonly field: string }[] }
    refused = details.map(({ field }) => field.split('.').at(-1)!.split('[')[0]!)
  } catch {
    return undefined
  }
  const names = Object.keys(fields).filter((one) => refused.includes(one) && fields[one] !== usual[one])
  if (names.length === 0) return undefined
  const kept = Object.entries(fields).flatMap(([one, value]) => {
    if (!names.includes(one)) return [[one, value] as const]
    return one in usual ? [[one, usual[one]] as const] : []
  })
  return { name, fields: Object.fromEntries(kept) }
}

const tokenFor = async ({ service }: Sweep, tenant: Tenant, { operation }: Route): Promise<string> => {
  if (!operation.ofTeam) return tenant.token
  const place = { teamId: tenant.teamId, workspaceId: null, scopes: ['read', 'write'], label: 'sweep' }
  return (await service.background.accounts.issueKey(place)).token
}

const bodyIn = ({ operation }: Route) => ('body' in operation ? (operation as WriteOperation).body : undefined)

/** Sends one of the largest bodies. Of one with all fields at their limits, those are taken back that are refused. @returns the name of what was accepted */
const sweepBody = async (
  sweep: Sweep,
  { route, body, token, prepared }: Sweeping,
  index: number,
): Promise<Accepted | undefined> => {
  const { operationId, method } = route
  let refused: Watched | undefined
  let last: Variant | undefined
  for (let turn = 0; turn < REFUSALS; turn++) {
    const prepare = async () => {
      const { path, usual } = await prepared()
      const fresh = variantsOf(body, usual)[index]!
      last = refused && last ? (withoutRefused(refused, last, usual) ?? last) : fresh
      const name = `${operationId}, ${last.name}`
      return { name, method, token, path, body: inBody(body.root, { ...last.fields }) }
    }
    const before: Variant | undefined = last
    const answer = await measure(sweep, prepare)
    if (answer.status < 300 && last) return { answer, variant: last }
    const isSame =
      before !== undefined && Object.keys(before.fields).length === Object.keys(last!.fields).length && turn > 3
    if (answer.status !== 422 || last?.name !== AT_LIMITS || isSame) return undefined
    refused = answer
  }
  return undefined
}

/** Sends all largest bodies of an operation, reads what they made, and reads a page of the largest. */
const sweepBodies = async (sweep: Sweep, first: Tenant, route: Route): Promise<void> => {
  const body = bodyIn(route)
  const { operationId, method, resource } = route
  let tenant = first
  let token = await tokenFor(sweep, tenant, route)
  const prepared = async () => {
    const usual = (await bodyFor(tenant, route)) ?? {}
    const fields = body && body.root !== null ? (usual[body.root] as Fields) : usual
    return { path: await pathFor(tenant, route), usual: fields }
  }
  if (!body) {
    await measure(sweep, async () => ({ name: operationId, method, token, path: (await prepared()).path }))
    return
  }
  const show = Object.values(resource.operations).find(({ kind }) => kind === 'show')
  const accepted: Accepted[] = []
  const count = variantsOf(body, (await prepared()).usual).length
  for (let index = 0; index < count; index++) {
    // A record holds no more than so much, together with what is in it.
    tenant = await sweep.service.tenant({ test: true })
    token = await tokenFor(sweep, tenant, route)
    const one = await sweepBody(sweep, { route, body, token, prepared }, index)
    if (!one) continue
    accepted.push(one)
    if (show) await readAgain(sweep, { operationId, token, show: show.path }, one)
  }
  const list = Object.values(resource.operations).find(({ kind, path }) => kind === 'list' && path === route.path)
  const [largest] = accepted.sort((one, other) => other.answer.bytes - one.answer.bytes)
  if (!list || !largest || largest.answer.status !== 201) return
  tenant = await sweep.service.tenant({ test: true })
  token = await tokenFor(sweep, tenant, route)
  let path = ''
  for (let made = 0; made < PAGE; made++) {
    const ready = await prepared()
    const long = Object.entries(largest.variant.fields).filter(([, value]) => JSON.stringify(value).length > EACH_LONG)
    path = made === 0 ? ready.path : path
    await send(sweep, {
      name: '',
      method,
      token,
      path,
      body: inBody(body.root, { ...ready.usual, ...Object.fromEntries(long) }),
    })
  }
  await measure(sweep, async () => ({
    name: `a page after ${operationId}, ${largest.variant.name}`,
    method: 'GET',
    path,
    token,
  }))
}

/** Reads a record that has just been written. */
const readAgain = async (
  sweep: Sweep,
  { operationId, token, show }: Pick<Route, 'operationId'> & { readonly token: string; readonly show: string },
  { answer: { text }, variant }: Accepted,
): Promise<void> => {
  const id = /^\{"id":(\d+)/.exec(text)?.[1]
  if (id === undefined) return
  const path = show.replace(/\{[^}]+\}/, id)
  await measure(sweep, async () => ({ name: `read after ${operationId}, ${variant.name}`, method: 'GET', path, token }))
}

const sweepResource = async (sweep: Sweep, routes: readonly Route[]): Promise<void> => {
  const order = (route: Route) => (route.method === 'DELETE' ? 2 : bodyIn(route) ? 0 : 1)
  for (const route of [...routes].sort((one, other) => order(one) - order(other))) {
    try {
      const tenant = await sweep.service.tenant({ test: true })
      await sweepBodies(sweep, tenant, route)
    } catch (error) {
      process.stderr.write(
        `${route.operationId} was not tried: ${error instanceof Error ? error.message.slice(0, 300) : error}\n`,
      )
    }
  }
}

/** Reads pages that show long texts, each as they are shown for the first time. */
const sweepPages = async (sweep: Sweep): Promise<void> => {
  const tenant = await sweep.service.tenant({ test: true })
  for await (const { name, path, headers, renew } of longPages(sweep.service, tenant))
    await measure(sweep, async () => {
      await renew()
      await sweep.service.caughtUp()
      return { name, method: 'GET', path, headers, at: sweep.service.publicUrl, token: '' }
    })
}

/** Lets an agent read long records. */
const sweepAgents = async (sweep: Sweep): Promise<void> => {
  for await (const request of agentRequests(sweep.service)) await measure(sweep, async () => request)
}

/** Nests splits as deep as they can be, and lists them. */
const sweepSplits = async (sweep: Sweep): Promise<void> => {
  const tenant = await sweep.service.tenant({ test: true })
  const { token } = tenant
  const { funnelId, path, body } = await nestSplits(tenant)
  await once(sweep, { name: 'the innermost of nested splits', method: 'POST', path, body, token })
  for (const read of [path, `/funnels/${funnelId}/structure`])
    await measure(sweep, async () => ({ name: `nested splits: ${read}`, method: 'GET', path: read, token }))
}

const run = async ({ only, verbose }: { readonly only?: string; readonly verbose?: boolean }): Promise<void> => {
  // No answers are kept, so that each request reads the documents.
  const service = await startTestService({ MILLRACE_ANSWERS_MIB: '0' })
  const sweep: Sweep = {
    service,
    watch: watching(service.caughtUp),
    findings: [],
    options: { verbose: verbose ?? false },
  }
  const wanted = new RegExp(only ?? '')
  const documents = ['.yaml', '.json'].filter(() => only === undefined || wanted.test('document'))
  for (const form of documents)
    await once(sweep, { name: `document${form}`, method: 'GET', path: `/api/v2${form}`, token: '' })
  for (const resource of resources) {
    const routes = routesOf([resource]).filter(({ operationId }) => wanted.test(operationId))
    if (routes.length > 0) await sweepResource(sweep, routes)
  }
  if (only === undefined || wanted.test('page')) await sweepPages(sweep)
  if (only === undefined || wanted.test('nested')) await sweepSplits(sweep)
  if (only === undefined || wanted.test('agents')) await sweepAgents(sweep)
  const { findings } = sweep
  const over = findings.filter(({ least }) => least > MOST_MS).sort((one, other) => other.least - one.least)
  for (const finding of over) process.stdout.write(`${lineOf(finding)}\n`)
  const accepted = findings.filter(({ status }) => status < 300).length
  process.stdout.write(`${findings.length} requests (${accepted} accepted), ${over.length} over ${MOST_MS} ms\n`)
  await mochaHooks.afterAll()
}

await new Command('loop-sweep')
  .option('--only <expression>', 'only operations whose id matches')
  .option('--verbose', 'print every request')
  .action(run)
  .parseAsync()
process.exit(0)
