import { expect } from 'chai'
import type { Answer } from '../support/client.ts'
import { deadLetter, refused } from '../support/dead-letters.ts'
import { type Tenant, testService } from '../support/service.ts'

const idsIn = ({ body }: Answer): readonly string[] => body.map(({ id }: { id: string }) => id)

describe('failures of background work', () => {
  let tenant: Tenant
  let write: Awaited<ReturnType<typeof testService>>['background']['stores']['reactorStore']['write']
  before(async () => {
    const { background } = await testService()
    write = (entries) => background.stores.reactorStore.write(entries)
  })
  beforeEach(async () => {
    tenant = await (await testService()).tenant()
  })

  /** Every page of a list, found by following its headers. */
  const pagesOf = async (list: string): Promise<readonly (readonly string[])[]> => {
    const pages: (readonly string[])[] = []
    for (let path: string | undefined = `/workspaces/${tenant.workspaceId}/${list}`; path; ) {
      const answer: Answer = await tenant.api.get(path)
      expect(answer.status).to.equal(200)
      pages.push(idsIn(answer))
      const link = answer.headers.get('link')
      expect(answer.headers.get('pagination-next')).to.equal(link ? pages.at(-1)!.at(-1) : null)
      path = link?.match(/\/api\/v2(\/[^>]+)>; rel="next"/)?.[1]
    }
    return pages
  }

  it('shows the dead letters of the workspace, and only the first line of their errors', async () => {
    const { workspaceId } = tenant
    const others = (await (await testService()).tenant()).workspaceId
    await write([
      { dead: deadLetter({ lane: `mail:${workspaceId}`, position: 4, reaction: 'mail', workspace_id: workspaceId }) },
      { dead: deadLetter({ lane: `mail:${others}`, position: 4, reaction: 'mail', workspace_id: others }) },
      { dead: deadLetter({ lane: `mail:${workspaceId}-of-nobody`, position: 4, reaction: 'mail' }) },
    ])
    const { body } = await tenant.api.get(`/workspaces/${workspaceId}/failures`)
    expect(body).to.deep.equal([
      {
        id: `mail:${workspaceId}@4`,
        workspace_id: workspaceId,
        reaction: 'mail',
        position: 4,
        attempts: 8,
        at: '2026-07-01T12:00:00.000Z',
        error: 'Error: the disk is on fire',
      },
    ])
  })

  it('shows what was refused in the workspace, the newest first', async () => {
    const { workspaceId } = tenant
    const where = { workspace_id: workspaceId }
    await write([
      { refused: refused({ ...where, position: 2 }) },
      { refused: refused({ ...where, position: 9, reason: 'Tag must exist\nada@example.com' }) },
    ])
    const { body } = await tenant.api.get(`/workspaces/${workspaceId}/refusals`)
    const shared = { ...where, reaction: 'policies', at: '2026-07-01T12:00:00.000Z' }
    expect(body).to.deep.equal([
      { id: 'policies@9', ...shared, position: 9, reason: 'Tag must exist' },
      { id: 'policies@2', ...shared, position: 2, reason: 'Name has already been taken' },
    ])
  })

  it('gives 20 a page', async () => {
    const { workspaceId } = tenant
    const numbers = Array.from({ length: 45 }, (_, number) => number)
    const where = { workspace_id: workspaceId }
    await write(
      numbers.map((position) => ({ dead: deadLetter({ ...where, lane: `mail/a b@${workspaceId}`, position }) })),
    )
    await write(numbers.map((number) => ({ refused: refused({ ...where, position: Math.floor(number / 4) }) })))
    for (const list of ['failures', 'refusals']) {
      const pages = await pagesOf(list)
      expect(pages.map(({ length }) => length)).to.deep.equal([20, 20, 5])
      expect(new Set(pages.flat()).size, 'each once').to.equal(45)
    }
  })

  it('continues after a removed entry, and refuses a cursor that is no id', async () => {
    const { workspaceId } = tenant
    const get = (path: string) => tenant.api.get(`/workspaces/${workspaceId}/${path}`)
    await write([{ dead: deadLetter({ lane: `mail:${workspaceId}`, position: 4, workspace_id: workspaceId }) }])
    expect(idsIn(await get(`failures?after=mail:${workspaceId}@3`))).to.have.length(1)
    expect(idsIn(await get(`failures?after=mail:${workspaceId}@4`))).to.have.length(0)
    expect(idsIn(await get('refusals?after=policies@3'))).to.have.length(0)
    expect(idsIn(await get('failures?after='))).to.have.length(1)
    for (const list of ['failures', 'refusals']) {
      const answer = await get(`${list}?after=12`)
      expect([answer.status, answer.body.error]).to.deep.equal([400, 'Bad request: after must be an id'])
      expect(answer.body.details[0].field).to.equal('after')
    }
  })

  it('needs the scope that reads the account', async () => {
    for (const list of ['failures', 'refusals']) {
      const path = `/workspaces/${tenant.workspaceId}/${list}`
      expect((await (await tenant.withScopes(['account:read'])).get(path)).status).to.equal(200)
      expect((await (await tenant.withScopes(['contacts:write'])).get(path)).status).to.equal(403)
    }
  })

  it('is documented as beyond the contract, and counted', async () => {
    const { url } = await testService()
    const { paths } = (await (await fetch(`${url}/api/v2.json`)).json()) as {
      paths: Record<string, { get: Record<string, unknown> }>
    }
    for (const list of ['failures', 'refusals'])
      expect(paths[`/api/v2/workspaces/{id}/${list}`]!.get).to.include({ 'x-beyond-contract': true })
    const metrics = await (await fetch(`${url}/metrics`)).text()
    expect(metrics).to.include('# TYPE millrace_reactor_owed gauge')
    expect(metrics).to.include('# TYPE millrace_reactor_dead_letters gauge')
  })
})
