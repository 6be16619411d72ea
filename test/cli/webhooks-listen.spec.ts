import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { apiClient } from '../support/client.ts'
import { hostMillrace, MILLRACE, millrace, type Spawned } from '../support/millrace.ts'

describe('millrace webhooks listen', function () {
  this.timeout(20_000)
  let data: string
  let service: Spawned
  let listener: ChildProcess | undefined

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-listen-'))
    service = await hostMillrace(data)
  })
  after(async () => {
    listener?.kill('SIGKILL')
    await service.stop()
    await rm(data, { recursive: true, force: true })
  })

  it('prints the webhooks of subscribers, with the outbound guard on, and leaves nothing behind', async () => {
    const { origin: url, api_key: key, workspace_id: workspace } = service.ready
    const api = apiClient(url, key!)
    const args = [MILLRACE, 'webhooks', 'listen', '--data', data, '--json', '--events', '$contact.created']
    listener = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    await new Promise<void>((resolve) => createInterface({ input: listener!.stderr! }).once('line', () => resolve()))
    const line = new Promise<string>((resolve) => createInterface({ input: listener!.stdout! }).once('line', resolve))
    await api.post(`/workspaces/${workspace}/contacts`, { contact: { first_name: 'Heard' } })
    const heard = JSON.parse(await line)
    expect(heard.signature_valid).to.equal(true)
    expect(heard.payload).to.deep.include({ event_type: '$contact.created' })
    expect(heard.payload.data.first_name).to.equal('Heard')

    listener.kill('SIGINT')
    const endpoints = async () => (await api.get(`/workspaces/${workspace}/webhooks/outgoing/endpoints`)).body
    for (let tries = 0; tries < 100 && (await endpoints()).length > 0; tries++) await wait(50)
    expect(await endpoints()).to.deep.equal([])
  })

  it('names the known types when one is unknown', async () => {
    const { code, err } = await millrace(['webhooks', 'listen', '--data', data, '--events', '$contact.exploded'])
    expect(code).to.equal(1)
    expect(err).to.match(/\$contact\.exploded' is not an event type; there are .*\$contact\.created/)
  })
})
