import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { readConfig } from '../../infra/config.ts'
import { createCore } from '../../infra/runtime/core.ts'
import { openStores } from '../../infra/stores/open.ts'
import { TestServer } from '../servers/eventstoredb/server.ts'
import { allDocuments, countOf, type Documents, expectSameDocuments } from '../support/documents.ts'
import { hostMillrace, millrace, type Spawned } from '../support/millrace.ts'

const MILLRACE_SECRET = 'a secret that moves with the archive'

describe('moving a log', function () {
  this.timeout(120_000)
  let directory: string
  let archive: string
  let documents: Documents

  const documentsOf = async (settings: Record<string, string>): Promise<Documents> => {
    const stores = await openStores(readConfig(settings))
    try {
      await (await createCore(stores)).rebuild()
      return await allDocuments(stores.readModels.live)
    } finally {
      await stores.close()
    }
  }

  const traffic = async ({ ready }: Spawned) => {
    const call = (method: string, target: string, body?: object, headers: Record<string, string> = {}) =>
      fetch(`${ready.origin}/api/v2${target}`, {
        method,
        headers: { authorization: `Bearer ${ready.api_key}`, 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      })
    const contacts = `/workspaces/${ready.workspace_id}/contacts`
    const tag = (await (await call('POST', `${contacts}/tags`, { contacts_tag: { name: 'Moved' } })).json()) as {
      id: number
    }
    const criteria = [{ attribute: 'first_name', clause: 'sw', value: 'Moving' }]
    await call('POST', `/workspaces/${ready.workspace_id}/refine_filters`, { refine_filter: { criteria } })
    for (let number = 0; number < 60; number++) {
      const fields = { email_address: `move-${number}@example.com`, first_name: 'Moving', tag_ids: [tag.id] }
      const made = (await (
        await call('POST', contacts, { contact: fields }, { 'idempotency-key': `k${number}` })
      ).json()) as { id: number }
      if (number % 10 === 0) await call('DELETE', `/contacts/${made.id}/gdpr_destroy`)
    }
  }

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'millrace-move-'))
    archive = path.join(directory, 'archive.ndjson')
    const data = path.join(directory, 'source')
    const service = await hostMillrace(data, { MILLRACE_SECRET })
    await traffic(service)
    const exported = await millrace(['events', 'export', '--archive', archive, '--data', data], { MILLRACE_SECRET })
    expect(exported.code, exported.err).to.equal(0)
    await service.stop()
    documents = await documentsOf({ MILLRACE_DATA: data, MILLRACE_SECRET })
    expect(countOf(documents)).to.be.greaterThan(100)
  })
  after(() => rm(directory, { recursive: true, force: true }))

  it('includes the key that stored filters are sealed with', async () => {
    const keys = (await readFile(archive, 'utf8'))
      .split('\n')
      .flatMap((line) => (line.startsWith('{"key"') ? [JSON.parse(line).key] : []))
    const [ofWorkspace, ...others] = keys.filter(({ subject }) => subject < 0)
    expect(Buffer.from(ofWorkspace.wrapped, 'base64')).to.have.length(40)
    expect(others).to.deep.equal([])
  })

  it('goes to EventStoreDB, and gives the same documents', async () => {
    const server = await TestServer.start()
    const settings = { EVENTSTOREDB_URL: server.url, MILLRACE_DATA: path.join(directory, 'target'), MILLRACE_SECRET }
    try {
      const imported = await millrace(['events', 'import', archive], settings)
      expect(imported.code, imported.err).to.equal(0)
      expect(imported.err).to.include('verified')
      expectSameDocuments(await documentsOf(settings), documents)
    } finally {
      await server.stop()
    }
  })

  it('continues where it was interrupted, and preserves claims on names, addresses and idempotency keys', async () => {
    const data = path.join(directory, 'again')
    const lines = (await readFile(archive, 'utf8')).trimEnd().split('\n')
    const part = path.join(directory, 'part.ndjson')
    await writeFile(part, `${lines.slice(0, Math.floor(lines.length * 0.8)).join('\n')}\n`)
    const broken = await millrace(['events', 'import', part, '--data', data], { MILLRACE_SECRET })
    expect(broken.code).to.equal(1)
    expect(broken.err).to.include('the archive breaks off after')
    const started = await millrace(['start', '--port', '0', '--data', data], { MILLRACE_SECRET })
    expect(started.code).to.equal(1)
    expect(started.err).to.include('holds only a part of').and.include(part).and.include('the archive breaks off after')
    for (const command of [
      ['backup', path.join(directory, 'copy')],
      ['events', 'export', '--archive', `${archive}.2`],
    ])
      expect((await millrace([...command, '--data', data], { MILLRACE_SECRET })).err).to.include('holds only a part of')
    expect((await millrace(['verify', '--data', data], { MILLRACE_SECRET })).out).to.include('holds only a part of')
    expect(existsSync(path.join(directory, 'copy')) || existsSync(`${archive}.2`)).to.equal(false)
    const whole = await millrace(['events', 'import', archive, '--data', data], { MILLRACE_SECRET })
    expect(whole.code, whole.err).to.equal(0)
    expectSameDocuments(await documentsOf({ MILLRACE_DATA: data, MILLRACE_SECRET }), documents)

    const service = await hostMillrace(data, { MILLRACE_SECRET })
    try {
      const key = JSON.parse(
        (await millrace(['keys', 'create', '--json', '--data', data], { MILLRACE_SECRET })).out,
      ) as { token: string }
      const workspaceId = [...documents.get('workspace')!.keys()][0]
      const answer = await fetch(`${service.ready.origin}/api/v2/workspaces/${workspaceId}/contacts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ contact: { email_address: 'MOVE-5@example.com' } }),
      })
      expect(answer.status).to.equal(422)
    } finally {
      await service.stop()
    }
  })

  it('is refused into another log, under another secret, and when it has been altered', async () => {
    const other = path.join(directory, 'other')
    const service = await hostMillrace(other, { MILLRACE_SECRET })
    await service.stop()
    const occupied = await millrace(['events', 'import', archive, '--data', other], { MILLRACE_SECRET })
    expect(occupied.err).to.include('the log already holds')
    expect((await millrace(['keys', 'list', '--data', other], { MILLRACE_SECRET })).code, 'still works').to.equal(0)
    const nowhere = path.join(directory, 'stranger')
    const others: readonly Record<string, string>[] = [{ MILLRACE_SECRET: 'another secret that is long enough' }, {}]
    for (const settings of others) {
      const stranger = await millrace(['events', 'import', archive, '--data', nowhere], settings)
      expect(stranger.code).to.equal(1)
      expect(stranger.err).to.include('another master secret')
    }
    const lines = path.join(directory, 'lines.ndjson')
    await writeFile(lines, '{"level":30,"msg":"request"}\n')
    for (const [file, reason] of [
      [lines, 'is not an archive'],
      [path.join(directory, 'missing'), 'no such file'],
    ] as const)
      expect((await millrace(['events', 'import', file, '--data', nowhere], { MILLRACE_SECRET })).err).to.include(
        reason,
      )
    expect(existsSync(nowhere), 'nothing is left behind').to.equal(false)
    const altered = path.join(directory, 'altered.ndjson')
    await writeFile(altered, (await readFile(archive, 'utf8')).replace('"name":"Moved"', '"name":"Moved!"'))
    const refused = await millrace(['events', 'import', altered, '--data', path.join(directory, 'altered')], {
      MILLRACE_SECRET,
    })
    expect(refused.err).to.include('but holds')
  })
})
