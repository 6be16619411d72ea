import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import type { ShownName } from '../../infra/operator/domains.ts'
import { apiClient } from '../support/client.ts'
import { until } from '../support/eventually.ts'
import { hostMillrace, millrace, type Spawned } from '../support/millrace.ts'
import { completeAddress, rootDomain } from '../support/records/emails.ts'
import { nameServer, publishAlias, publishText } from '../support/servers/name-server.ts'
import type { Tenant } from '../support/service.ts'

describe('millrace domains', function () {
  this.timeout(120_000)
  let data: string
  let settings: Record<string, string>
  let service: Spawned
  let workspace: number
  const log: string[] = []
  const root = rootDomain()
  const host = `www.${root}`

  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-domains-'))
    settings = {
      MILLRACE_DNS: await nameServer(),
      MILLRACE_MAIL_DOMAIN: 'mail.millrace-shop.com',
      SMTP_URL: 'smtp://127.0.0.1:9',
    }
    service = await hostMillrace(data, settings, log)
    workspace = service.ready.workspace_id
  })
  after(async () => {
    await service.stop()
    await rm(data, { recursive: true, force: true })
  })

  const run = (...args: readonly string[]) => millrace(['domains', ...args, '--data', data], settings)
  const names = async (...args: readonly string[]) => {
    const { out, err } = await run(...args, '--json')
    expect(err).to.equal('')
    return JSON.parse(out) as readonly ShownName[]
  }
  const publish = (shown: ShownName | undefined) => {
    for (const { type, name, value } of shown?.records ?? []) if (type === 'TXT') publishText(name, value)
  }

  it('connect a name for pages once its record is published', async () => {
    const { out } = await run('connect', host)
    expect(out).to.match(
      new RegExp(
        `^${host} \\(website\\): not ready\nTYPE +NAME +VALUE +SEEN\nTXT +_millrace\\.${host} +millrace=\\S+ +no\n`,
      ),
    )
    expect(out).to.contain(`- Publish the record, then run millrace domains verify ${host}\n`)
    const early = await run('verify', host)
    expect(early.code).to.equal(1)
    expect(early.err).to.contain(`Name is not proven: the TXT record of _millrace.${host} must be millrace=`)
    const [again] = await names('connect', host)
    expect(out, 'asking again changes nothing').to.contain(again!.records[0]!.value)
    publish(again)
    const [connected] = await names('verify', host)
    expect(connected).to.deep.include({ kind: 'website', ready: true, records: [], next_steps: [] })
  })

  it('connect a root domain to send mail from, with a sender', async () => {
    expect((await run('connect', host, '--mail')).err).to.contain(`Use "${root}" instead of "${host}"`)
    const [asked] = await names('connect', root, '--mail')
    expect(asked!.records.map(({ type }) => type)).to.deep.equal(['TXT', 'TXT', 'TXT', 'CNAME'])
    expect(asked).to.deep.include({ workspace_id: workspace, kind: 'mail', ready: false })
    expect(await names('connect', root, '--mail')).to.deep.equal([asked])
    publish(asked)
    const [ready] = await names('verify', root)
    expect(ready!.records.map(({ verified }) => verified)).to.deep.equal([true, true, true, false])
    expect(ready).to.deep.include({ ready: true })
    expect(ready!.next_steps[0]).to.equal('Publish the return path record')
    const back = asked!.records[3]!
    publishAlias(back.name, back.value)
    const [done] = await names('verify', root)
    const warning = /^Set MILLRACE_PUBLIC_URL to an address that everybody can reach: .*unsubscribe, lead to http:\/\//
    expect(done!.next_steps.join('\n')).to.match(warning)
    await until(() => log.join('').includes('Set MILLRACE_PUBLIC_URL to an address'))
    const api = apiClient(service.ready.origin, service.ready.api_key!)
    await completeAddress({ api, workspaceId: workspace } as unknown as Tenant)
    const { body: all } = await api.post(`/workspaces/${workspace}/contacts/filters`, { text: 'first name is Ann' })
    const news = { name: 'News', from_email: `no-reply@${root}`, filter_id: String(all.stable_id) }
    const broadcast = await api.post(`/workspaces/${workspace}/emails/broadcasts`, {
      emails_broadcast: { ...news, subject: 'News', html_body: '<p>News</p>' },
    })
    expect(broadcast.status, JSON.stringify(broadcast.body)).to.equal(201)
    expect(broadcast.body.warnings.join('\n')).to.match(warning)
    const { body } = await api.get(`/workspaces/${workspace}/emails/addresses`)
    expect(body.find((one: { email_address: string }) => one.email_address === `no-reply@${root}`)).to.include({
      usable_as_sender: true,
    })
  })

  it('list the names of a workspace, also without a service', async () => {
    await service.stop()
    const { out } = await run('list')
    expect(out).to.match(
      new RegExp(`^NAME +FOR +STATUS\n[\\s\\S]*${host} +website +connected\n${root} +mail +ready\n$`),
    )
    expect((await run('verify', 'other.example')).err).to.contain('has not asked for other.example')
    expect((await run('list', '--workspace', '99')).err).to.contain('say which workspace')
    service = await hostMillrace(data, settings)
  })
})
