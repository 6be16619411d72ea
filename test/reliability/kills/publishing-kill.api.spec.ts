import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { openSqliteLog } from '../../../infra/log-db/store.ts'
import { type ApiClient, apiClient } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { millrace, type Spawned, spawnMillrace } from '../../support/millrace.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { byForm, patience, printFigures } from '../form.ts'

const MINUTE = 60_000
const EACH = byForm(60, 1000)
const KILLS = byForm(2, 20)
const LESSONS_OF_A_COURSE = 100
/** Time until what no process sees is due. */
const AHEAD_MS = 10_000

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

/** What a post was at an instant of the clock. */
interface Seen {
  readonly id: number
  readonly at: string
  readonly visibility: string
}

describe('scheduled posts and lessons whose service is killed while their times come', function () {
  this.timeout(patience)
  let data: string
  let service: Spawned
  let api: ApiClient
  let token: string
  let workspace: string
  let begun: number
  const posts: number[] = []
  const seen: Seen[] = []
  /** Times at which each is due, by the event that says that it has appeared, and its id. */
  const due = new Map<string, string>()

  const start = async () => {
    service = await spawnMillrace(data)
    api = apiClient(service.ready.origin, token)
  }
  const asked = async (...args: readonly string[]) => {
    const { code, out, err } = await millrace([...args, '--data', data])
    expect(code, err).to.equal(0)
    return JSON.parse(out)
  }
  const clock = async () => createdBody(await api.get(`${workspace}/test_clock`))
  const at = (minute: number) => new Date(begun + minute * MINUTE).toISOString()

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-publishing-kill-'))
    await start()
    const { workspace_id: id } = await asked('workspace', 'create', '--name', 'Tested', '--test')
    token = (await asked('keys', 'create', '--workspace', String(id), '--json')).token
    api = apiClient(service.ready.origin, token)
    workspace = `/workspaces/${id}`
    // Long enough for all of them to be scheduled: this clock goes on as they are.
    begun = Date.parse((await clock()).now) + 60 * MINUTE
  })
  after(async () => {
    await service.stop('SIGKILL')
    await rm(data, { recursive: true, force: true })
  })

  const schedulePosts = async () => {
    const [blog] = createdBody(await api.get(`${workspace}/blogs`))
    for (let n = 1; n <= EACH; n++) {
      const fields = { title: `Post ${n}`, visibility: 'scheduled', published_at: at(n) }
      const { id } = createdBody(await api.post(`/blogs/${blog.id}/posts`, { blogs_post: fields }))
      posts.push(id)
      due.set(`BlogPostAppeared ${id}`, at(n))
    }
  }
  const scheduleLessons = async () => {
    let sectionId = ''
    for (let n = 1; n <= EACH; n++) {
      if ((n - 1) % LESSONS_OF_A_COURSE === 0)
        sectionId = createdBody(await api.post(`${workspace}/courses`, { course: { title: `C ${n}` } })).root_section_id
      const fields = { title: `Lesson ${n}` }
      const { id } = createdBody(await api.post(`/courses/sections/${sectionId}/lessons`, { courses_lesson: fields }))
      createdBody(await api.post(`/courses/lessons/${id}/publish`, { published_at: at(n) }))
      due.set(`LessonAppeared ${id}`, at(n))
    }
  }

  /** Looks at a post whose time is about to come or has just come, and remembers what it was, unless the clock went on meanwhile. */
  const look = async (): Promise<string> => {
    const { now } = await clock()
    const minute = Math.floor((Date.parse(now) - begun) / MINUTE) + (seen.length % 2)
    const id = posts[Math.min(Math.max(minute, 1), EACH) - 1]!
    const { visibility } = createdBody(await api.get(`/blogs/posts/${id}`))
    if ((await clock()).now === now) seen.push({ id, at: now, visibility })
    return now
  }

  /** Returns the times at which each has appeared, by its event and id. */
  const appearances = async (wanted: Iterable<string>) => {
    const keys = new Set(wanted)
    const { log } = await openSqliteLog(data)
    const times = new Map<string, string[]>()
    for await (const event of log.readAll()) {
      const { type, stream, metadata } = event
      const id = type === 'LessonAppeared' ? event.data.lesson_id : stream.split('-').at(-1)
      const key = `${type} ${id}`
      if (keys.has(key)) times.set(key, [...(times.get(key) ?? []), metadata.at])
    }
    await log.close()
    return times
  }

  it('15 27: that became due while no process ran are visible at the first read, and appear once, late', async () => {
    const { workspace_id, api_key } = service.ready
    const own = (token: string) => apiClient(service.ready.origin, token)
    const key = api_key ?? (await asked('keys', 'create', '--workspace', String(workspace_id), '--json')).token
    const published_at = new Date(Date.now() + AHEAD_MS).toISOString()
    const [blog] = createdBody(await own(key).get(`/workspaces/${workspace_id}/blogs`))
    const fields = { title: 'Due', visibility: 'scheduled', published_at }
    const post = createdBody(await own(key).post(`/blogs/${blog.id}/posts`, { blogs_post: fields })).id
    const course = createdBody(await own(key).post(`/workspaces/${workspace_id}/courses`, { course: { title: 'C' } }))
    const lessons = `/courses/sections/${course.root_section_id}/lessons`
    const lesson = createdBody(await own(key).post(lessons, { courses_lesson: { title: 'Due' } })).id
    createdBody(await own(key).post(`/courses/lessons/${lesson}/publish`, { published_at }))
    await service.stop('SIGKILL')
    expect(new Date().toISOString() < published_at, 'killed before they were due').to.equal(true)
    await pause(Date.parse(published_at) + MINUTE / 60 - Date.now())
    await start()
    expect(createdBody(await own(key).get(`/blogs/posts/${post}`)).visibility).to.equal('public')
    const wanted = [`BlogPostAppeared ${post}`, `LessonAppeared ${lesson}`]
    await eventually(async () => {
      const { out } = await millrace(['events', 'export', '--data', data])
      for (const what of wanted) expect(out).to.include(`"${what.split(' ')[0]}"`)
    })
    await service.stop()
    const times = await appearances(wanted)
    for (const what of wanted) {
      expect(times.get(what), what).to.have.length(1)
      expect(times.get(what)![0]! > published_at, what).to.equal(true)
    }
    await start()
  })

  it('15 25 27: appear within a second of their times, once each; as_of shows what was visible then', async () => {
    await schedulePosts()
    await scheduleLessons()
    expect((await api.post(`${workspace}/test_clock`, { to: at(EACH + 1) })).status).to.equal(202)
    let kills = 0
    for (let next = 1; next <= KILLS; next++) {
      const until = at(Math.floor((next * EACH) / (KILLS + 1)))
      while ((await look()) < until) await pause(1)
      if ((await clock()).state === 'ready') break
      await service.stop('SIGKILL')
      kills++
      await start()
    }
    expect(kills).to.be.greaterThan(0)
    while ((await clock()).state === 'advancing') await look()
    // How many looks there are depends on how fast the clock goes; a second before and after its time each post is known.
    const known = [1, Math.ceil(EACH / 2), EACH].flatMap((n) =>
      ([-1, 1] as const).map((seconds) => ({
        id: posts[n - 1]!,
        at: new Date(Date.parse(at(n)) + seconds * 1000).toISOString(),
        visibility: seconds < 0 ? 'scheduled' : 'public',
      })),
    )
    for (const { id, at: then, visibility } of [...seen, ...known]) {
      const { body } = await api.get(`/blogs/posts/${id}?as_of=${then}`)
      expect([id, then, body.visibility]).to.deep.equal([id, then, visibility])
    }
    await service.stop()
    const times = await appearances(due.keys())
    expect(times.size).to.equal(due.size)
    for (const [what, when] of due) {
      const appeared = times.get(what) ?? []
      expect(appeared, what).to.have.length(1)
      expect(Math.abs(Date.parse(appeared[0]!) - Date.parse(when)), what).to.be.lessThan(1000)
    }
    printFigures('publishing', `${due.size} due over ${kills} kills, each once; ${seen.length} looks agree with as_of`)
  })
})
