import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { BOUNDS } from '../../../infra/mail/connections.ts'
import { type ApiClient, apiClient } from '../../support/client.ts'
import { type Spawned, spawnMillrace } from '../../support/millrace.ts'
import { startSink } from '../../support/servers/smtp-sink.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { byForm, patience, printFigures } from '../form.ts'
import { draftToAnns, orderToSend } from './broadcasting.ts'

const CONTACTS = byForm(1200, 10_000)
const KILLS = byForm(3, 20)
const AT_ONCE = 50

const pause = (ms: number) => new Promise((go) => setTimeout(go, ms))

describe('a broadcast that is killed while it is sent', function () {
  this.timeout(patience)
  let data: string
  let service: Spawned
  let token: string
  let api: ApiClient
  let workspace: number
  let sink: Awaited<ReturnType<typeof startSink>>

  const start = async () => {
    service = await spawnMillrace(data, { SMTP_URL: sink.url, MILLRACE_MAIL_DOMAIN: 'mail.millrace-shop.com' })
    const { origin, workspace_id, api_key } = service.ready
    token ??= api_key!
    workspace = workspace_id
    api = apiClient(origin, token)
  }

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-broadcast-kill-'))
    sink = await startSink()
    await start()
    for (let first = 0; first < CONTACTS; first += AT_ONCE) {
      const batch = Array.from({ length: AT_ONCE }, (_, index) => {
        const contact = { email_address: `c${first + index}@kill.example`, first_name: 'Ann' }
        return api.post(`/workspaces/${workspace}/contacts`, { contact })
      })
      for (const answer of await Promise.all(batch)) createdBody(answer)
    }
  })
  after(async () => {
    await service.stop('SIGKILL')
    await sink.stop()
    await rm(data, { recursive: true, force: true })
  })

  it('14 23: what was read into a batch and not handed over at a kill is sent afterwards; nobody twice, nobody missed', async () => {
    const id = await draftToAnns(api, workspace)
    const action = await orderToSend(api, id)
    let kills = 0
    for (let next = 0; next < KILLS; next++) {
      while (sink.arrived.length < (next * CONTACTS) / (KILLS + 1)) await pause(1)
      if (createdBody(await api.get(`/emails/broadcasts/${id}`)).complete_at) break
      await service.stop('SIGKILL')
      kills++
      await start()
    }
    expect(kills).to.be.greaterThan(0)
    while (!createdBody(await api.get(`/emails/broadcasts/${id}`)).complete_at) await pause(50)
    const { target_count, performed_count } = createdBody(await api.get(`/emails/broadcasts/send_actions/${action}`))
    expect([target_count, performed_count]).to.deep.equal([CONTACTS, CONTACTS])
    const sent = sink.arrived.map(({ to }) => to[0])
    expect(new Set(sent).size, 'nobody twice').to.equal(sent.length)
    // What was on its way at a kill is in doubt, and not sent again: at most as many as are under way at once.
    expect(sent.length).to.be.at.least(CONTACTS - kills * BOUNDS.connections)
    const doubted = createdBody(await api.get(`/emails/broadcasts/${id}/stats`)).outcomes.in_doubt ?? 0
    expect(sent.length + doubted).to.be.at.least(CONTACTS)
    expect(doubted).to.be.at.most(kills * BOUNDS.connections)
    printFigures('broadcast', `${kills} kills; ${sent.length} of ${CONTACTS} arrived once, ${doubted} in doubt`)
  })
})
