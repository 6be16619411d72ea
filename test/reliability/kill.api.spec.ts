import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { countOf, documentsOnDisk, expectSameDocuments } from '../support/documents.ts'
import { millrace, type Spawned, spawnMillrace } from '../support/millrace.ts'
import { type Random, random, seedOfRun } from '../support/random.ts'
import { caughtUp } from './caught-up.ts'
import { all, carryOut, type Entry, isAcknowledged, type Ledger, send, type Target } from './ledger.ts'
import { type Setting, writeUntilDead } from './writers.ts'

const KILLS = 20
const WRITERS = 6
/** Every so often a rebuild is under way, too, when the service is killed. */
const REBUILD_EVERY = 7

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

const settingFor = async (target: Target): Promise<Setting> => {
  const contacts = `/workspaces/${target.workspaceId}/contacts`
  const tags = await Promise.all(
    ['One', 'Two', 'Three'].map((name) =>
      send(target, 'POST', `${contacts}/tags`, { body: { contacts_tag: { name } } }),
    ),
  )
  const stages_attributes = [
    { name: 'New', close_probability: 10 },
    { name: 'Won', close_probability: 100 },
  ]
  const body = { sales_pipeline: { name: 'Deals', stages_attributes } }
  const pipeline = await send(target, 'POST', `/workspaces/${target.workspaceId}/sales/pipelines`, { body })
  return {
    tagIds: tags.map((tag) => tag!.body.id),
    stageIds: pipeline!.body.stages.map(({ id }: { id: number }) => id),
  }
}

/** Requests whose fate their clients do not know are sent again under their keys; and some that were answered, too. */
const repeat = async (target: Target, ledger: Ledger): Promise<Ledger> =>
  Promise.all(
    ledger.map(async (entry, index) => {
      if (entry.key === undefined || (isAcknowledged(entry) && index % 3 > 0)) return entry
      const again = await carryOut(target, entry)
      if (isAcknowledged(entry)) expect(again.id, `${entry.mark} sent again`).to.equal(entry.id)
      return again
    }),
  )

/** How often each mark is found, and on which record. */
const found = async (target: Target): Promise<Map<string, string[]>> => {
  const seen = new Map<string, string[]>()
  const enter = (mark: string, place: string) => seen.set(mark, [...(seen.get(mark) ?? []), place])
  for (const contact of await all(target, `/workspaces/${target.workspaceId}/contacts`)) {
    enter(contact.first_name, `contact ${contact.id}`)
    if (contact.last_name) enter(contact.last_name, `change ${contact.id}`)
    for (const tag of contact.tags) enter(`${contact.id} ${tag.id}`, 'tag')
  }
  for (const opportunity of await all(target, `/workspaces/${target.workspaceId}/sales/opportunities`)) {
    enter(opportunity.name, `opportunity ${opportunity.id}`)
    for (const note of opportunity.notes) enter(note.content, `note ${note.id}`)
  }
  return seen
}

const expectOnce = (ledger: Ledger, seen: ReadonlyMap<string, string[]>): void => {
  for (const { mark, kind, on, id, body } of ledger) {
    if (kind === 'change') continue
    const sought =
      kind === 'tag'
        ? `${on} ${(body as { contacts_applied_tag: { tag_id: number } }).contacts_applied_tag.tag_id}`
        : mark
    const places = seen.get(sought) ?? []
    if (id === undefined) expect(places.length, `${kind} ${mark}`).to.be.at.most(1)
    else expect(places, `${kind} ${mark}`).to.deep.equal([kind === 'tag' ? 'tag' : `${kind} ${id}`])
  }
}

/** Of each contact the last change holds: the last one acknowledged, or one sent after it. */
const expectLastChanges = (ledger: Ledger, seen: ReadonlyMap<string, string[]>): void => {
  const changes = new Map<number, Entry[]>()
  for (const entry of ledger) {
    if (entry.kind === 'change') changes.set(entry.on!, [...(changes.get(entry.on!) ?? []), entry])
  }
  for (const [contact, sent] of changes) {
    const last = sent.findLastIndex(isAcknowledged)
    const possible = sent.slice(Math.max(0, last)).map(({ mark }) => mark)
    const held = possible.filter((mark) => seen.get(mark)?.includes(`change ${contact}`))
    if (last >= 0) expect(held, `last of ${possible} on ${contact}`).to.have.length(1)
  }
}

describe('the service killed while it writes', function () {
  this.timeout(120_000)
  let data: string
  let service: Spawned
  let target: Target
  let chance: Random
  const ledger: Ledger[] = []

  const start = async () => {
    service = await spawnMillrace(data)
    target = { ...target, url: service.ready.api, workspaceId: service.ready.workspace_id }
  }

  before(async () => {
    chance = random(seedOfRun())
    data = await mkdtemp(path.join(tmpdir(), 'millrace-kill-'))
    await start()
    target = { ...target, token: service.ready.api_key! }
  })
  after(async () => {
    await service.stop('SIGKILL')
    await rm(data, { recursive: true, force: true })
  })

  it(`${KILLS} times has everything that it acknowledged, and nothing twice`, async () => {
    const setting = await settingFor(target)
    for (let round = 0; round < KILLS; round++) {
      const names = Array.from({ length: WRITERS }, (_, writer) => `m${round}-${writer}`)
      const writers = names.map((name) => writeUntilDead(target, setting, name, random(chance.below(2 ** 31))))
      const rebuilding = round % REBUILD_EVERY === 3 ? millrace(['rebuild', '--data', data, '--json']) : undefined
      await pause((rebuilding ? 350 : 60) + chance.below(240))
      await service.stop('SIGKILL')
      const sent = (await Promise.all(writers)).flat()
      await rebuilding
      await start()
      ledger.push(await repeat(target, sent))
    }
    const acknowledged = ledger.flat().filter(isAcknowledged)
    console.log(`      ${acknowledged.length} of ${ledger.flat().length} writes acknowledged`)
    expect(acknowledged.length).to.be.greaterThan(KILLS * WRITERS)
    const seen = await found(target)
    expectOnce(ledger.flat(), seen)
    expectLastChanges(ledger.flat(), seen)
  })

  it('has a log without a gap', async () => {
    const exported = await millrace(['events', 'export', '--data', data])
    const events = exported.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: string; stream: string; revision: number })
    const revisions = new Map<string, number>()
    for (const { stream, revision } of events) {
      expect(revision, stream).to.equal((revisions.get(stream) ?? -1) + 1)
      revisions.set(stream, revision)
    }
    expect(new Set(events.map(({ id }) => id)).size).to.equal(events.length)
  })

  it('has the documents that a fresh rebuild gives', async () => {
    await caughtUp(target.url)
    expect(await service.stop()).to.equal(0)
    const live = await documentsOnDisk(data)
    expect((await millrace(['rebuild', '--data', data, '--json'])).code).to.equal(0)
    expect(countOf(live)).to.be.greaterThan(ledger.flat().length / 2)
    expectSameDocuments(await documentsOnDisk(data), live)
  })
})
