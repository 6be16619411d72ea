import { createPublicKey } from 'node:crypto'
import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { rootDomain } from '../../support/records/emails.ts'
import { failFor, publishAlias, publishText } from '../../support/servers/name-server.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'

const HOST = 'mail.millrace-shop.com'

describe('Emails::Domain over REST', () => {
  let service: TestService
  before(async () => {
    service = await testService()
  })

  const domains = ({ workspaceId }: Tenant) => `/workspaces/${workspaceId}/emails/domains`

  const added = async (tenant: Tenant, name = rootDomain()) =>
    (await tenant.api.post(domains(tenant), { emails_domain: { name } })).body

  const verify = async (tenant: Tenant, { id }: { id: number }) =>
    ok(await tenant.api.post(`/emails/domains/${id}/verify`))

  const publish = (shown: Record<string, { name: string; value: string }>, ...without: string[]) => {
    for (const kind of ['dkim_record', 'spf_record', 'dmarc_record'])
      if (!without.includes(kind)) publishText(shown[kind]!.name, shown[kind]!.value)
  }

  const connect = async (tenant: Tenant, name: string) => {
    const { body } = await tenant.api.post(`/workspaces/${tenant.workspaceId}/domains`, { domain: { name } })
    publishText(body.proof.name, body.proof.value)
    ok(await tenant.api.post(`/domains/${body.id}/verify`))
  }

  it('becomes ready when its records are published and its name is connected', async () => {
    const tenant = await service.tenant()
    const domain = await added(tenant)
    expect(domain).to.include({ verified: false, ready_for_sending: false, ownership_verified: false })
    const key = domain.dkim_record.value.replace(/^.*p=/, '')
    expect(
      createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' }).asymmetricKeyDetails,
    ).to.include({ modulusLength: 2048 })
    expect(domain.spf_record).to.include({ name: domain.name, value: `v=spf1 include:${HOST} ~all`, ttl: 300 })
    expect(domain.dmarc_record).to.include({ name: `_dmarc.${domain.name}`, value: 'v=DMARC1; p=none;' })
    publish(domain)
    expect(await verify(tenant, domain)).to.include({ verified: true, ready_for_sending: false })
    await connect(tenant, `www.${domain.name}`)
    const { next_steps: steps } = await verify(tenant, domain)
    expect(steps.slice(0, 1)).to.deep.equal(['Publish the return path record'])
    expect(steps.join()).to.not.include('Ready to send')
    publishAlias(domain.return_address_record.name, HOST)
    const ready = await verify(tenant, domain)
    expect(ready).to.include({ ownership_verified: true, ready_for_sending: true, return_address_verified: true })
    expect(ready.next_steps.at(-1)).to.match(/^Ready to send/)
  })

  it('is found under its name, however it is spelled, and has a sender', async () => {
    const tenant = await service.tenant()
    const first = await added(tenant)
    const again = await tenant.api.post(domains(tenant), { emails_domain: { name: ` ${first.name.toUpperCase()} ` } })
    expect([again.status, again.body.id]).to.deep.equal([200, first.id])
    expect(again.body.dkim_record).to.deep.equal(first.dkim_record)
    const [sender, ...others] = ok(await tenant.api.get(`/workspaces/${tenant.workspaceId}/emails/addresses`))
    expect(sender).to.include({ email_address: `no-reply@${first.name}`, usable_as_sender: false })
    expect(others).to.deep.equal([])
  })

  it('is a root domain', async () => {
    const tenant = await service.tenant()
    const refusals: Readonly<Record<string, string>> = {
      'news.shop.co.uk':
        'Sending domains are set up on the root domain. Use "shop.co.uk" instead of "news.shop.co.uk".',
      localhost: 'Name must be a valid public domain name.',
      'https://shop.com': 'Name must be a valid public domain name.',
      'shop.com:25': 'Name must be a valid public domain name.',
    }
    for (const [name, says] of Object.entries(refusals)) {
      const { status, body } = await tenant.api.post(domains(tenant), { emails_domain: { name } })
      expect([status, body.error], name).to.deep.equal([422, `Request unprocessable: ${says}`])
    }
  })

  it('14 76: rotates keys: signing changes after the new record was seen, the old stays asked for 7 days', async () => {
    const tenant = await service.tenant({ test: true })
    const domain = await added(tenant)
    publish(domain)
    await verify(tenant, domain)
    const rotating = ok(await tenant.api.post(`/emails/domains/${domain.id}/rotate_dkim`))
    expect(rotating.dkim_record.name).not.to.equal(domain.dkim_record.name)
    expect(rotating).to.include({ dkim_verified: true })
    expect(rotating.dkim_record.verified).to.equal(false)
    expect(rotating.next_steps.join()).to.include(domain.dkim_record.name)
    expect((await verify(tenant, domain)).dkim_record.verified).to.equal(false)
    publishText(rotating.dkim_record.name, rotating.dkim_record.value)
    const rotated = await verify(tenant, domain)
    expect(rotated.dkim_record).to.deep.equal({ ...rotating.dkim_record, verified: true })
    expect(rotated.next_steps.join()).to.include(`Leave the DKIM record at ${domain.dkim_record.name} in place until`)
    expect((await tenant.api.post(`/emails/domains/${domain.id}/rotate_dkim`)).status).to.equal(422)
  })

  it('14 77: merges SPF into the record that exists', async () => {
    const tenant = await service.tenant()
    const domain = await added(tenant)
    publish(domain, 'spf_record')
    publishText(domain.name, 'v=spf1 a include:other.com -all', 'google-site-verification=1')
    const found = await verify(tenant, domain)
    expect(found.spf_record).to.include({ value: `v=spf1 a include:other.com include:${HOST} -all`, verified: false })
    publishText(domain.name, found.spf_record.value)
    expect(await verify(tenant, domain)).to.include({ spf_verified: true, verified: true })
  })

  it('14 77: does not verify two records, more than ten look-ups, or V=SPF1, and says so', async () => {
    const tenant = await service.tenant()
    const domain = await added(tenant)
    const right = domain.spf_record.value
    const bad: readonly (readonly [readonly string[], RegExp])[] = [
      [[right, 'v=spf1 -all'], /two SPF records/],
      [[`v=spf1 mx -all include:${HOST}`], /Publish the SPF record/],
      [[right.replace('v=spf1', 'V=SPF1')], /begin with v=spf1/],
      [
        [`v=spf1 ${Array.from({ length: 10 }, (_, n) => `a:h${n}.com`).join(' ')} include:${HOST} ~all`],
        /more than 10/,
      ],
    ]
    for (const [texts, says] of bad) {
      publishText(domain.name, ...texts)
      const shown = await verify(tenant, domain)
      expect(shown.spf_verified, texts.join()).to.equal(false)
      expect(shown.next_steps.join('\n')).to.match(says)
    }
    const nested = `deep-${domain.name}`
    publishText(nested, `v=spf1 ${Array.from({ length: 9 }, (_, n) => `a:h${n}.com`).join(' ')} ~all`)
    publishText(domain.name, `v=spf1 include:${nested} include:${HOST} ~all`)
    expect((await verify(tenant, domain)).next_steps.join()).to.match(/more than 10/)
  })

  it('14 78: joins the strings of one record, and takes no two records', async () => {
    const tenant = await service.tenant()
    const domain = await added(tenant)
    const { name, value } = domain.dkim_record
    expect(value.length).to.be.greaterThan(255)
    publishText(name, value)
    expect(await verify(tenant, domain)).to.include({ dkim_verified: true })
    publishText(name, value, 'v=DKIM1; p=')
    const two = await verify(tenant, domain)
    expect(two.dkim_verified).to.equal(false)
    expect(two.next_steps.join()).to.include('There are 2 TXT records')
  })

  it('14 79: verifies a policy that exists as it is', async () => {
    const tenant = await service.tenant()
    const domain = await added(tenant)
    const policy = `v=DMARC1; p=reject; rua=mailto:d@${domain.name}`
    publishText(domain.dmarc_record.name, policy)
    expect((await verify(tenant, domain)).dmarc_record).to.include({ value: policy, verified: true })
  })

  it('14 80: leaves flags as they are where a resolver fails', async () => {
    const tenant = await service.tenant()
    const domain = await added(tenant)
    publish(domain)
    const before = await verify(tenant, domain)
    const names = [domain.dkim_record.name, domain.name, domain.dmarc_record.name]
    for (const name of names) failFor(name)
    const after = await verify(tenant, domain)
    for (const name of names) failFor(name, false)
    expect(after).to.include({ verified: true })
    expect(after.spf_record).to.deep.equal(before.spf_record)
  }).timeout(30_000)

  it('keeps its sender in step: filter[verified], nested domain', async () => {
    const tenant = await service.tenant()
    const domain = await added(tenant)
    publish(domain)
    await verify(tenant, domain)
    const list = `/workspaces/${tenant.workspaceId}/emails/addresses?filter[verified]=`
    await waitUntilSettled(service)
    const [sender] = ok(await tenant.api.get(`${list}true`))
    expect(sender.emails_domain).to.include({ name: domain.name, verified: true, smtp_verified: false })
    expect(ok(await tenant.api.get(`${list}false`))).to.deep.equal([])
  })
})
