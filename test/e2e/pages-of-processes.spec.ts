import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { TestServer } from '../servers/eventstoredb/server.ts'
import { apiClient, ok } from '../support/client.ts'
import { askHost, type HostAnswer } from '../support/hosts.ts'
import { type Spawned, spawnMillrace } from '../support/millrace.ts'
import { javaServer } from '../support/servers/mongo-servers.ts'
import { openWorkspace, settingsOn } from '../support/servers/on-servers.ts'

const saying = (text: string): string =>
  `<section><row><column><headline>${text}</headline><product-name/></column></row></section>`

/** Two processes serve pages, one projects, and one runs the workers, all on servers over the network. */
describe('hosted pages of several processes', function () {
  this.timeout(120_000)
  if (javaServer.missing) {
    it.skip(javaServer.missing)
    return
  }

  let data: string
  let server: TestServer
  const running: Spawned[] = []
  let listeners: readonly string[]
  let apis: readonly ReturnType<typeof apiClient>[]
  let workspace: string
  let host: string

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-pages-'))
    server = await TestServer.start()
    const settings = {
      ...settingsOn(server.url, await javaServer.url(), 'pages'),
      // Pages name it, and would differ.
      MILLRACE_SDK_URL: 'https://sdk.example',
    }
    const start = async (roles: string) => {
      const spawned = await spawnMillrace(data, { ...settings, MILLRACE_ROLES: roles })
      running.push(spawned)
      return spawned
    }
    await start('projector')
    await start('worker')
    const serving = [await start('api'), await start('api')]
    const { workspaceId, token } = await openWorkspace('Shared', settings)
    listeners = serving.map(({ ready }) => `http://127.0.0.1:${new URL(ready.pages).port}`)
    apis = serving.map(({ ready }) => apiClient(ready.origin, token))
    workspace = `/workspaces/${workspaceId}`
    const [domain] = ok(await apis[0]!.get(`${workspace}/domains`))
    host = domain.name
  })
  after(async () => {
    await Promise.all(running.map((spawned) => spawned.stop()))
    await server.stop()
    await rm(data, { recursive: true, force: true })
  })

  const getAll = (at: string, headers: Readonly<Record<string, string>> = {}): Promise<readonly HostAnswer[]> =>
    Promise.all(listeners.map((listener) => askHost(listener, host, at, { headers })))
  const statuses = async (at: string, tag?: string) =>
    (await getAll(at, tag ? { 'if-none-match': tag } : {})).map(({ status }) => status)

  it('13b 10: show a write at once at every process, whichever has taken it', async () => {
    const { id } = ok(
      await apis[0]!.post(`${workspace}/pages`, {
        page: { name: 'Live', current_path: '/live', markup: saying('Version 0') },
      }),
    )
    let tag = ''
    for (let version = 0; version < 20; version++) {
      if (version > 0)
        ok(await apis[version % 2]!.put(`/pages/${id}`, { page: { markup: saying(`Version ${version}`) } }))
      const answers = await getAll('/live', tag ? { 'if-none-match': tag } : {})
      expect(answers.map(({ status, text }) => [status, text.includes(`Version ${version}<`)])).to.deep.equal([
        [200, true],
        [200, true],
      ])
      expect(answers[0]!.headers.etag).to.equal(answers[1]!.headers.etag)
      expect(answers[0]!.headers.etag).not.to.equal(tag)
      tag = answers[0]!.headers.etag!
      expect(await statuses('/live', tag)).to.deep.equal([304, 304])
    }
  })

  it('13b 11: drop a page at every process when one of its parts changes', async () => {
    const [api] = apis
    const product = ok(await api!.post(`${workspace}/products`, { product: { name: 'Mug 0' } }))
    const funnel = ok(await api!.post(`${workspace}/funnels`, { funnel: { name: 'Parts' } }))
    const page = ok(
      await api!.post(`${workspace}/pages`, {
        page: {
          ...{ name: 'Buy', current_path: '/buy', markup: saying('Buy') },
          ...{ funnel: { funnel_id: funnel.id }, show_page_step: { product_ids: [product.id] } },
        },
      }),
    )
    const at = new URL(page.url).pathname
    const shown = async (text: string) =>
      expect(
        (await getAll(at)).map((answer) => answer.text.includes(text)),
        text,
      ).to.deep.equal([true, true])
    await shown('Mug 0')
    ok(await apis[1]!.put(`/products/${product.id}`, { product: { name: 'Cup 1' } }))
    await shown('Cup 1')
    ok(await api!.put(`/funnels/${funnel.id}`, { funnel: { head_code: '<!-- funnel -->' } }))
    await shown('<!-- funnel -->')
    ok(await apis[1]!.put(`${workspace}/site`, { site: { footer_code: '<!-- site -->' } }))
    await shown('<!-- site -->')
  })

  it('13b 12: remember nowhere that a page was not found', async () => {
    expect(await statuses('/new')).to.deep.equal([404, 404])
    const page = { name: 'New', current_path: '/new', markup: saying('New') }
    const { id } = ok(await apis[1]!.post(`${workspace}/pages`, { page }))
    const [first] = await getAll('/new')
    expect(await statuses('/new')).to.deep.equal([200, 200])
    expect((await apis[0]!.delete(`/pages/${id}`)).status).to.equal(204)
    expect(await statuses('/new', first!.headers.etag!)).to.deep.equal([404, 404])
  })
})
