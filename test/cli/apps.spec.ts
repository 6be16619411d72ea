import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import type { NewApplication } from '../../infra/operator/applications.ts'
import { hostMillrace, millrace, type Spawned } from '../support/millrace.ts'

const CALLBACK = 'https://ledger.example/callback'

describe('millrace apps', function () {
  this.timeout(120_000)
  let data: string
  let service: Spawned

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-apps-'))
    service = await hostMillrace(data, {})
  })
  after(async () => {
    await service.stop()
    await rm(data, { recursive: true, force: true })
  })

  const run = (...args: readonly string[]) => millrace(['apps', ...args, '--data', data])
  const made = async (...args: readonly string[]): Promise<NewApplication> => {
    const { out, err } = await run(...args, '--json')
    expect(err).to.equal('')
    return JSON.parse(out)
  }

  it('registers an application and shows its secret once, lists it without, and gives it a new one', async () => {
    const { id, client_id, client_secret } = await made('create', 'Ledger', CALLBACK)
    expect(client_id).to.match(/^[A-Za-z0-9_-]{32}$/)
    expect(client_secret).to.match(/^[A-Za-z0-9_-]{43}$/)
    const { out } = await run('list')
    expect(out).to.include(client_id).and.to.include('Ledger').and.to.include(CALLBACK)
    expect(out).not.to.include(client_secret)
    const rotated = await made('rotate', String(id))
    expect(rotated.client_id).to.equal(client_id)
    expect(rotated.client_secret).to.match(/^[A-Za-z0-9_-]{43}$/)
    expect(rotated.client_secret).not.to.equal(client_secret)
  })

  it('registers a public application without a secret', async () => {
    const { id, client_secret } = await made('create', 'Desktop', 'http://localhost:3000/callback', '--public')
    expect(client_secret).to.equal(null)
    const { code, err } = await run('rotate', String(id))
    expect([code, err]).to.deep.equal([1, 'millrace: A public application has no secret\n'])
  })

  it('removes an application, with the connections of people', async () => {
    const { id, client_id } = await made('create', 'Short-lived', CALLBACK)
    expect((await run('remove', String(id))).code).to.equal(0)
    expect((await run('list')).out).not.to.include(client_id)
    expect((await run('remove', String(id))).err).to.equal('millrace: No such platform application\n')
  })

  it('refuses what the API refuses, naming the field', async () => {
    const { code, err } = await run('create', 'Ledger', 'http://127.0.0.1:3000/callback')
    expect(code).to.equal(1)
    expect(err).to.match(/^millrace: Redirect uris at position 0 must be an https address, or http for localhost/)
    expect((await run('create', 'Led\u202eger', CALLBACK)).err).to.include('Name must not have control characters')
    expect((await run('create', 'L'.repeat(81), CALLBACK)).err).to.include(
      'Name is too long (maximum is 80 characters)',
    )
  })
})
