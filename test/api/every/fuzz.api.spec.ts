import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import fc from 'fast-check'
import { Pool } from 'undici'
import { byForm, patience } from '../../reliability/form.ts'
import { apiClient } from '../../support/client.ts'
import { KnownIds } from '../../support/fuzzing/known-ids.ts'
import { minimal } from '../../support/fuzzing/minimal.ts'
import { type FuzzRequest, type OpenApi, requestsOf } from '../../support/fuzzing/requests.ts'
import { type Spawned, spawnMillrace } from '../../support/millrace.ts'
import { type ResponseChecker, responseChecker } from '../../support/openapi.ts'
import { seedOfRun } from '../../support/random.ts'
import { recordMakers } from '../../support/records.ts'
import { serversOfItsOwn, type Tenant } from '../../support/service.ts'

const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? byForm(2000, 20_000))
const AT_ONCE = 16
/** New records of every resource are made after this many requests. */
const RENEWED_EVERY = 250

interface Failure {
  readonly request: FuzzRequest
  readonly says: string
}

describe('any request', function () {
  this.timeout(patience)
  let data: string
  let service: Spawned
  let pool: Pool
  let check: ResponseChecker
  let document: OpenApi
  const known = new KnownIds()
  const statuses = new Map<number, number>()

  let makeEach: () => Promise<void>
  const prepare = async (): Promise<void> => {
    const { origin: url, api_key, workspace_id: workspaceId } = service.ready
    const api = apiClient(url, api_key!)
    const me = (await api.get('/me')).body
    const teamId = me.connected_workspace.team_id as number
    const withScopes = () => Promise.reject(new Error('one key is enough'))
    const tenant: Tenant = { teamId, workspaceId, token: api_key!, api, withScopes }
    for (const { id } of (await api.get(`/teams/${teamId}/memberships`)).body) known.add('membership', id)
    makeEach = async () => {
      for (const [resource, { make }] of Object.entries(recordMakers)) {
        // Another request may have removed a record that the new one refers to.
        const id = await make(tenant).catch(() => undefined)
        if (id !== undefined) known.add(resource, id)
      }
    }
  }

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-fuzz-'))
    service = await spawnMillrace(data, {
      ...(await serversOfItsOwn()),
      MILLRACE_LOG_LEVEL: process.env.FUZZ_LOG_LEVEL ?? 'silent',
    })
    pool = new Pool(service.ready.origin, { connections: AT_ONCE })
    document = (await (await fetch(`${service.ready.origin}/api/v2.json`)).json()) as OpenApi
    check = responseChecker(document)
    await prepare()
  })
  after(async () => {
    await pool.close()
    await service.stop()
    await rm(data, { recursive: true, force: true })
  })

  /** Sends a request. @returns the fault of the answer, if it has one */
  const send = async ({ method, path: target, headers, body }: FuzzRequest): Promise<string | undefined> => {
    const filled = known.fill(target)
    const payload = body && ('raw' in body ? body.raw : known.fill(JSON.stringify(body.json) ?? ''))
    const response = await pool.request({
      method: method as 'GET',
      path: `/api/v2${filled}`,
      headers: {
        authorization: `Bearer ${service.ready.api_key}`,
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: payload ?? null,
    })
    const text = await response.body.text()
    statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1)
    try {
      const parsed = text === '' ? undefined : (JSON.parse(text) as unknown)
      if (response.statusCode < 300) known.learn(method, filled, parsed)
      const problem = check(method, filled, response.statusCode, parsed)
      return problem && `${response.statusCode}: ${problem} ${text.slice(0, 300)}`
    } catch {
      return `${response.statusCode}: no JSON: ${text.slice(0, 300)}`
    }
  }

  it(`is answered as the OpenAPI document says, and never with an error of our own: ${REQUESTS} requests`, async () => {
    const requests = fc.sample(requestsOf(document), { numRuns: REQUESTS, seed: seedOfRun() })
    const failures = new Map<string, Failure>()
    let next = 0
    const worker = async () => {
      while (next < requests.length) {
        if (next % RENEWED_EVERY === 0) void makeEach()
        const request = requests[next++]!
        const says = await send(request)
        if (says) failures.set(`${request.operationId} ${says.slice(0, 60)}`, { request, says })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    const told: string[] = []
    for (const { request, says } of failures.values()) {
      const {
        method,
        path: target,
        headers,
        body,
      } = await minimal(request, async (smaller) => (await send(smaller)) !== undefined)
      const shown = body && ('raw' in body ? body.raw : known.fill(JSON.stringify(body.json)))
      told.push(
        `${method} ${known.fill(target)} ${JSON.stringify(headers)} ${shown?.slice(0, 1500) ?? ''}\n   → ${says}`,
      )
    }
    console.log(
      `      ${[...statuses]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', ')}`,
    )
    expect(told, told.join('\n')).to.deep.equal([])
    const succeeded = [...statuses].reduce((sum, [status, count]) => sum + (status < 300 ? count : 0), 0)
    expect(succeeded, 'requests that went through').to.be.greaterThan(REQUESTS / 10)
  })

  it('is refused when it filters by a property that every object has', async () => {
    const { origin: api, api_key, workspace_id } = service.ready
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      const answer = await apiClient(api, api_key!).get(`/workspaces/${workspace_id}/contacts?filter[${name}]=x`)
      expect(answer.status, name).to.equal(400)
      expect(answer.body.error).to.include(`found unpermitted parameter: :${name}`)
    }
  })
})
