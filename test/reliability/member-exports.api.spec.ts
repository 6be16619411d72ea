import { expect } from 'chai'
import { type ApiClient, apiClient } from '../support/client.ts'
import { createdBody } from '../support/traffic/funnels.ts'
import { byForm, patience, printFigures } from './form.ts'
import { fillWithMembers, type Member } from './member-fill.ts'
import { peakMiB, residentMiB } from './process-costs.ts'
import { type ServiceProcess, type SuiteDirectories, startServiceProcess, suiteDirectories } from './service-process.ts'

const MEMBERS = byForm(800, 100_000)
const BANS = byForm(200, 5000)
const AT_ONCE = 50
const JOINING = 4
/** Most of the heap, and of all memory, that an export may take, however many members there are. */
const SETTINGS = { NODE_OPTIONS: '--max-old-space-size=224', MILLRACE_MAIL_WARM_UP: 'no' }
const MOST_MIB = 400

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

const fieldsOf = (n: number) => ({
  email_address: `m${n}@example.com`,
  first_name: n % 2 === 0 ? '=1+1' : 'Ada\rByron',
})

describe('exports of a community while others join', function () {
  this.timeout(patience)
  let places: SuiteDirectories
  let life: ServiceProcess
  let api: ApiClient
  let workspace: string
  let community: number
  let made = MEMBERS
  const members: Member[] = []

  const joined = async (): Promise<Member> => {
    const contactId = createdBody(await api.post(`${workspace}/contacts`, { contact: fieldsOf(made++) })).id
    const own = { communities_membership: { contact_id: contactId } }
    const { id, created_at } = createdBody(await api.post(`/communities/${community}/memberships`, own))
    return { id, contactId, created_at }
  }

  before(async () => {
    places = suiteDirectories('member-exports')
    const data = places.place()
    life = await startServiceProcess(data, { settings: SETTINGS })
    const { api_key: token, workspace_id: workspaceId } = life.ready
    api = apiClient(life.url, token!)
    workspace = `/workspaces/${workspaceId}`
    const { team_id: teamId } = createdBody(await api.get(workspace))
    community = createdBody(await api.post(`${workspace}/communities`, { community: { name: 'Potters' } })).id
    await life.stop()
    members.push(...(await fillWithMembers(data, { teamId, workspaceId, communityId: community }, MEMBERS, fieldsOf)))
    life = await startServiceProcess(data, { settings: SETTINGS })
    api = apiClient(life.url, token!)
  })
  after(async () => {
    await life.stop('SIGKILL')
    places.clear()
  })

  const completed = async (of: 'memberships' | 'bans', fields: readonly string[]) => {
    const wanted = { [`communities_${of}_export_action`]: { target_all: true, fields } }
    const { id } = createdBody(await api.post(`/communities/${community}/${of}/export_actions`, wanted))
    for (;;) {
      const action = createdBody(await api.get(`/communities/${of}/export_actions/${id}`))
      if (action.completed_at) return action
      await pause(20)
    }
  }
  /** Ids in the first column of a file, and its text. */
  const fileOf = async ({ file_url }: { readonly file_url: string }) => {
    const bytes = Buffer.from(await (await fetch(file_url)).arrayBuffer())
    expect([...bytes.subarray(0, 3)]).to.deep.equal([0xef, 0xbb, 0xbf])
    const text = bytes.toString().slice(1)
    const rows = text.split('\r\n').slice(1, -1)
    return { text, ids: rows.map((row) => Number(row.split(',')[0])) }
  }

  /** Lets something happen again and again, several times at once, while an export runs. @returns what happened before it, and in all of the time */
  const meanwhile = async <T, R>(happen: () => Promise<T>, run: () => Promise<R>) => {
    const all: T[] = []
    let isOver = false
    const going = Array.from({ length: JOINING }, async () => {
      while (!isOver) all.push(await happen())
    })
    while (all.length < JOINING) await pause(1)
    const earlier = [...all]
    const result = await run()
    isOver = true
    await Promise.all(going)
    return { result, earlier, all }
  }

  /** Expects of a file that it has everybody who was there before, each once, in order, and nobody of later. */
  const expectOneMoment = (ids: readonly number[], at: string, before: readonly Member[], all: readonly Member[]) => {
    expect(new Set(ids).size).to.equal(ids.length)
    expect(ids).to.deep.equal([...ids].sort((a, b) => a - b))
    const within = new Set(ids)
    expect(before.filter(({ id }) => !within.has(id))).to.deep.equal([])
    const then = new Set([...before, ...all].filter(({ created_at }) => created_at <= at).map(({ id }) => id))
    expect(ids.filter((id) => !then.has(id))).to.deep.equal([])
  }

  it('15 96: have the members of one moment, each once, however many join meanwhile, in bounded memory', async () => {
    const before = residentMiB(life.child.pid!)
    let during = 0
    for (let tries = 0; during === 0 && tries < 20; tries++) {
      const exporting = () => completed('memberships', ['id', 'email', 'first_name', 'joined_at'])
      const { result, earlier, all } = await meanwhile(joined, exporting)
      const { text, ids } = await fileOf(result)
      expectOneMoment(ids, result.started_at, [...members, ...earlier], all)
      expect([result.target_count, result.failed_count]).to.deep.equal([ids.length, 0])
      expect(text).to.include(`,"Ada\rByron",`).and.to.include(",'=1+1,")
      during = all.filter(({ created_at: at }) => at > result.started_at && at <= result.completed_at).length
      members.push(...all)
    }
    expect(during, 'joins while it ran').to.be.greaterThan(0)
    const peak = peakMiB(life.child.pid!)
    expect(peak).to.be.lessThan(MOST_MIB)
    printFigures(
      'export',
      `${MEMBERS} members, ${during} joined meanwhile; resident ${before.toFixed(0)} MiB before, ${peak.toFixed(0)} at most`,
    )
  })

  it('15 96: have the bans of one moment, each once, however many are banned meanwhile', async () => {
    const bans: Member[] = []
    let next = 0
    const banned = async (): Promise<Member> => {
      const { contactId } = members[next++ % members.length]!
      const own = { communities_ban: { contact_id: contactId } }
      const { id, created_at } = createdBody(await api.post(`/communities/${community}/bans`, own))
      return { id, contactId, created_at }
    }
    while (bans.length < BANS) bans.push(...(await Promise.all(Array.from({ length: AT_ONCE }, banned))))
    const { result, earlier, all } = await meanwhile(banned, () => completed('bans', ['id', 'contact_email']))
    expectOneMoment((await fileOf(result)).ids, result.started_at, [...bans, ...earlier], all)
  })
})
