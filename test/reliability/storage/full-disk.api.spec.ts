import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { type Random, random, seedOfRun } from '../../support/random.ts'
import { type Receiver, startReceiver } from '../../support/servers/receiver.ts'
import { caughtUp } from '../caught-up.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { expectDocumentsOfLog, expectVerified, firstLife } from '../history.ts'
import { all, send, type Target } from '../ledger.ts'
import { refusedStart, type ServiceProcess, startServiceProcess, targetOf } from '../service-process.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

const ROUNDS = byForm(1, 9)
const MEGABYTES = 40
const TAGGED = 200
const WRITERS = 4
const BLOCK = 4096
const WRITING_MS = 5000
const RESUMED_WITHIN_MS = 15_000
const SETTINGS = { MILLRACE_ALLOW_PRIVATE_TARGETS: '1', MILLRACE_LOG_LEVEL: 'error' }

interface Raw {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: bodies are read freely by tests
  readonly body: any
}

describe('a service whose disk is full', function () {
  this.timeout(patience)
  let disk: SmallDisk
  let data: string
  let receiver: Receiver
  let life: ServiceProcess
  let target: Target
  let token: string
  let made = 0
  let chance: Random
  const acknowledged = new Map<number, string>()
  const refused: string[] = []

  const contacts = () => `/workspaces/${target.workspaceId}/contacts`

  const raw = async (method: string, path: string, body?: object): Promise<Raw> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${target.url}${path}`, { method, headers, body: body ? JSON.stringify(body) : null })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json')
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
  }

  /** Creates a contact and records whether it was acknowledged or refused. */
  const write = async (more: object = {}): Promise<Raw> => {
    const mark = `disk-${++made}`
    const answer = await raw('POST', `/api/v2${contacts()}`, {
      contact: { first_name: mark, email_address: `${mark}@example.com`, ...more },
    })
    if (answer.status === 201) acknowledged.set(answer.body.id, mark)
    else {
      expect503(answer)
      refused.push(mark)
    }
    return answer
  }

  /** Expects the contract's error body, and a time to retry after. */
  const expect503 = ({ status, headers, body }: Raw) => {
    expect(status, JSON.stringify(body)).to.equal(503)
    expect(Number(headers.get('retry-after'))).to.be.within(1, 60)
    expect(body.error).to.match(/^Service unavailable: /)
    expect(body.details).to.deep.equal([])
    expect(body.request_id).to.be.a('string')
  }

  /** Writes until the first refusal or the time limit: a write-ahead log with preallocated space accepts some more writes. */
  const writeOn = async (): Promise<void> => {
    const endAt = performance.now() + WRITING_MS
    let isOver = false
    const writer = async () => {
      while (!isOver) {
        const { status } = await write({ last_name: 'x'.repeat(200) })
        isOver ||= status === 503 || performance.now() > endAt
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, writer))
  }

  const expectReadsGoOn = async (): Promise<void> => {
    const [id, mark] = [...acknowledged][0]!
    const shown = await raw('GET', `/api/v2/contacts/${id}`)
    expect([shown.status, shown.body.first_name]).to.deep.equal([200, mark])
    const listed = await raw('GET', `/api/v2${contacts()}?sort_order=desc`)
    expect([listed.status, listed.body.length]).to.deep.equal([200, 20])
    for (const path of ['/health/live', '/health/ready', '/metrics'])
      expect((await raw('GET', path)).status).to.equal(200)
    expect(life.child.exitCode).to.equal(null)
  }

  before(async function () {
    const mounted = mountSmallDisk(MEGABYTES)
    if (typeof mounted === 'string') {
      console.log(`      skipped: ${mounted}`)
      this.skip()
    }
    disk = mounted
    chance = random(seedOfRun())
    data = join(disk.path, 'data')
    receiver = await startReceiver()
    const first = await firstLife(data, SETTINGS)
    ;({ life, target, token } = first)
    const endpoint = { url: receiver.url, name: 'Told', event_type_ids: ['$contact.created'] }
    const path = `/workspaces/${target.workspaceId}/webhooks/outgoing/endpoints`
    const answer = await send(target, 'POST', path, { body: { webhooks_outgoing_endpoint: endpoint } })
    expect(answer?.status, JSON.stringify(answer?.body)).to.equal(201)
  })
  after(async () => {
    await life?.stop('SIGKILL')
    await receiver?.close()
    disk?.unmount()
  })

  afterEach(function () {
    if (this.currentTest?.state === 'failed') console.log(`      the service said: ${life?.said().slice(-2000)}`)
  })

  const tagMany = async (round: number): Promise<number> => {
    const body = { contacts_tag: { name: `Tag ${round}` } }
    const tag = (await send(target, 'POST', `${contacts()}/tags`, { body }))!.body.id as number
    for (let n = 0; n < TAGGED; n += 20) await Promise.all(Array.from({ length: 20 }, () => write({ tag_ids: [tag] })))
    return tag
  }

  /** Removes a tag while the disk has space for that, but not for the work that policies do afterwards. */
  const removeTag = async (tag: number): Promise<void> => {
    for (;;) {
      const answer = await raw('DELETE', `/api/v2/contacts/tags/${tag}`)
      if (answer.status === 204) return
      expect503(answer)
      disk.leave(BLOCK * (1 + chance.below(8)))
    }
  }

  /** Number of contacts with a tag. */
  const tagged = async (tag: number): Promise<number> =>
    (await raw('GET', `/api/v2${contacts()}?filter[tag_ids]=${tag}`)).body.length

  const resumed = async (): Promise<number> => {
    const begun = performance.now()
    while ((await write()).status !== 201) {
      expect(performance.now() - begun).to.be.lessThan(RESUMED_WITHIN_MS)
      await pause(50)
    }
    return performance.now() - begun
  }

  const expectAllDone = async (tag: number): Promise<void> => {
    const giveUpAt = performance.now() + RESUMED_WITHIN_MS
    while ((await tagged(tag)) > 0) {
      expect(performance.now(), 'some contacts still have the tag').to.be.lessThan(giveUpAt)
      await pause(100)
    }
    const untold = () => {
      const told = new Set(receiver.received.map(({ json }) => json.data.id as number))
      return [...acknowledged.keys()].filter((id) => !told.has(id))
    }
    while (untold().length > 0) {
      expect(performance.now(), `${untold().length} contacts were not published`).to.be.lessThan(giveUpAt)
      await pause(100)
    }
    await caughtUp(target.url)
  }

  it('refuses writes with 503, still serves reads, and resumes by itself when there is space', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const tag = await tagMany(round)
      disk.fill()
      await writeOn()
      await removeTag(tag)
      disk.fill()
      await writeOn()
      for (let n = 0; n < 5; n++) await Promise.all([write(), write()])
      await expectReadsGoOn()
      if (round === 0) expect(refused.length).to.be.greaterThan(0)
      await pause(500)
      await expectReadsGoOn()
      expect(await tagged(tag), 'contacts that policies have not got to').to.be.greaterThan(0)
      disk.clear()
      const took = await resumed()
      await expectAllDone(tag)
      printFigures(
        'full disk',
        `${acknowledged.size} writes acknowledged, ${refused.length} answered 503; resumed in ${Math.round(took)} ms`,
      )
    }
  })

  it('reports it at a start, and starts when there is space', async () => {
    expect(await life.stop()).to.equal(0)
    // A start truncates these files, which would free some space.
    for (const name of ['log.db-shm', 'views.db-shm']) rmSync(join(data, name), { force: true })
    disk.fill()
    const { code, said } = await refusedStart(data, { settings: SETTINGS })
    expect(code, said).to.be.greaterThan(0)
    expect(said).to.match(/no room|no space|full/i)
    expect(said, 'no trace of the program').not.to.match(/\n\s+at /)
    const empty = join(disk.path, 'empty')
    mkdirSync(empty)
    const anew = await refusedStart(empty, { settings: SETTINGS })
    expect(anew.code).to.be.greaterThan(0)
    expect(anew.said).to.match(/no room|no space|full/i)
    printFigures('start on a full disk', said.trim().split('\n').at(-1)!)
    disk.clear()
    life = await startServiceProcess(data, { settings: SETTINGS })
    target = targetOf(life, token)
    expect((await write()).status).to.equal(201)
  })

  it('has everything that it acknowledged, and nothing that it refused', async () => {
    const listed = await all(target, contacts())
    const names = new Map(listed.map(({ id, first_name }) => [id as number, first_name as string]))
    for (const [id, mark] of acknowledged) expect(names.get(id)).to.equal(mark)
    const kept = new Set(names.values())
    expect(refused.filter((mark) => kept.has(mark))).to.deep.equal([])
    await pause(300)
    await expectDocumentsOfLog(life, data)
    await expectVerified(data)
  })
})
