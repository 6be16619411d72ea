import { expect } from 'chai'
import { askHost } from '../../support/hosts.ts'
import { publishText } from '../../support/servers/name-server.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { type HostedSite, hostedSite, saying } from './support.ts'

const WHICH = [true, false, false, false]

describe('a domain of a customer', () => {
  let service: TestService
  let site: HostedSite
  before(async () => {
    service = await startTestService({
      MILLRACE_SDK_URL: 'https://sdk.millrace.example',
      MILLRACE_PUBLIC_URL: 'https://files.millrace.example',
      MILLRACE_API_URL: 'https://api.millrace.example',
      MILLRACE_MCP_URL: 'https://agents.millrace.example',
    })
    site = await hostedSite(service)
  })
  const ask = (name: string, of: HostedSite = site) =>
    of.tenant.api.post(`/workspaces/${of.tenant.workspaceId}/domains`, { domain: { name } })
  const verify = ({ id }: { readonly id: number }, of: HostedSite = site) => of.tenant.api.post(`/domains/${id}/verify`)
  const get = (host: string, path = '/about') => askHost(service.publicUrl, host, path)
  const connected = async (host: string) =>
    (await get('proxy', `/.well-known/millrace/host?name=${host}`)).status === 200

  it('5: is connected by a proof that is the workspace’s own, and served from then on', async () => {
    await site.standalone('/about', { markup: saying('About') })
    const requested = createdBody(await ask('Shop.Example.COM.'))
    expect(requested).to.include({ name: 'shop.example.com', status: 'initialized', connected: false })
    expect(requested.proof).to.include({ type: 'TXT', name: '_millrace.shop.example.com' })
    expect(requested.proof.value).to.match(/^millrace=\w{32}$/)
    const refused = await verify(requested)
    expect([refused.status, refused.body.details[0].code]).to.deep.equal([422, 'unproven'])
    expect([await connected('shop.example.com'), (await get('shop.example.com')).status]).to.deep.equal([false, 404])
    publishText(requested.proof.name, requested.proof.value)
    const proven = createdBody(await verify(requested))
    expect(proven).to.include({ status: 'secured', connected: true, proof: null })
    expect(createdBody(await verify(requested)).connected).to.equal(true)
    expect([await connected('shop.example.com'), (await get('shop.example.com')).status]).to.deep.equal([true, 200])
    expect(await connected('www.shop.example.com')).to.equal(false)
  })

  it('13b 5: is not connected by a name that points here, nor by the proof of another workspace or another name', async () => {
    const other = await hostedSite(service)
    const theirs = createdBody(await ask('proofs.example.com', other))
    const mine = createdBody(await ask('proofs.example.com'))
    publishText(mine.proof.name, theirs.proof.value)
    publishText('_millrace.other.example.com', mine.proof.value)
    const refused = await verify(mine)
    expect([refused.status, refused.body.details[0].code]).to.deep.equal([422, 'unproven'])
    expect((await get('proofs.example.com')).status).to.equal(404)
    expect((await verify(mine, other)).status).to.equal(404)
    expect(createdBody(await verify(theirs, other)).connected).to.equal(true)
  })

  it('5: belongs to one workspace at a time', async () => {
    const other = await hostedSite(service)
    const mine = createdBody(await ask('both.example.com'))
    const theirs = createdBody(await ask('both.example.com', other))
    expect(theirs.proof.value).not.to.equal(mine.proof.value)
    publishText(mine.proof.name, mine.proof.value)
    createdBody(await verify(mine))
    publishText(theirs.proof.name, theirs.proof.value)
    const refused = await verify(theirs, other)
    expect([refused.status, refused.body.details[0].code]).to.deep.equal([422, 'taken'])
    expect((await ask('both.example.com', other)).status).to.equal(422)
    expect((await site.tenant.api.delete(`/domains/${mine.id}`)).status).to.equal(204)
    expect([await connected('both.example.com'), (await get('both.example.com')).status]).to.deep.equal([false, 404])
    expect(createdBody(await verify(theirs, other)).connected).to.equal(true)
  })

  it('1: is one in all spellings of its name', async () => {
    const { name } = createdBody(await ask('München.example'))
    expect(name).to.equal('xn--mnchen-3ya.example')
    expect((await ask('xn--mnchen-3ya.example')).status).to.equal(422)
  })

  it('13b 5: cannot be one of the service, nor what is no host', async () => {
    for (const name of [
      'localhost',
      'shop.localhost',
      'sdk.millrace.example',
      'x.sdk.millrace.example',
      'SDK.Millrace.Example.',
      'files.millrace.example',
      'x.files.millrace.example',
      'api.millrace.example',
      'x.y.api.millrace.example',
      'agents.millrace.example',
      '127.0.0.1',
      'nodots',
      'a b.example',
      'https://x.example',
      '-x.example',
      '',
      `${'a'.repeat(64)}.example`,
    ]) {
      const { status, body } = await ask(name)
      expect([name, status, body.details?.[0]?.field]).to.deep.equal([name, 422, 'domain.name'])
    }
  })

  it('13b 8: is asked about without touching the log, and no longer known when it is removed', async () => {
    const requested = createdBody(await ask('asked.example.com'))
    publishText(requested.proof.name, requested.proof.value)
    createdBody(await verify(requested))
    const { log } = service.background.stores
    const position = await log.lastPosition()
    const names = ['asked.example.com', 'www.asked.example.com', 'www.www.shop.example', `x.${site.host}`]
    const askOften = async () => {
      for (let times = 0; times < 60; times++) expect(await Promise.all(names.map(connected))).to.deep.equal(WHICH)
    }
    await Promise.all([askOften(), askOften()])
    expect(await log.lastPosition()).to.equal(position)
    expect((await site.tenant.api.delete(`/domains/${requested.id}`)).status).to.equal(204)
    expect(await connected('asked.example.com')).to.equal(false)
  })

  it('leaves the one that a workspace begins with, while it has no other', async () => {
    const { api, workspaceId } = (await hostedSite(service)).tenant
    const [first] = createdBody(await api.get(`/workspaces/${workspaceId}/domains`))
    expect(first.proof).to.equal(null)
    createdBody(await api.post(`/workspaces/${workspaceId}/domains`, { domain: { name: 'only-asked.example.com' } }))
    expect((await api.delete(`/domains/${first.id}`)).status).to.equal(422)
  })
})
