import { expect } from 'chai'
import { freePort } from '../../support/free-port.ts'
import { startTestService, type Tenant, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'
import { builder, createdBody } from '../../support/traffic/funnels.ts'

describe('the site of a workspace', () => {
  let tenant: Tenant
  let workspace: string
  before(async () => {
    tenant = await (await testService()).tenant()
    workspace = `/workspaces/${tenant.workspaceId}`
  })
  const theme = async () => createdBody(await tenant.api.get(`${workspace}/themes`))[0]

  it('exists from the start, with a theme, styles and a domain', async () => {
    const { public_id, styles, current_style_id } = await theme()
    const site = createdBody(await tenant.api.get(`${workspace}/site`))
    expect(site).to.include({ workspace_id: tenant.workspaceId, theme_id: public_id, homepage_id: null })
    expect(current_style_id).to.equal(styles[0].id)
    const listed = createdBody(await tenant.api.get(`${workspace}/styles`))
    expect(listed.map(({ id, name }: { id: number; name: string }) => ({ id, name }))).to.deep.equal(styles)
    const [domain] = createdBody(await tenant.api.get(`${workspace}/domains`))
    expect(domain).to.include({ status: 'secured', connected: true })
    expect(domain.name).to.match(/^tenant-\w+\.localhost$/)
    expect(createdBody(await tenant.api.get(`/domains/${domain.public_id}`))).to.deep.equal(domain)
  })

  it('takes a name, code and a homepage', async () => {
    const page = await builder(tenant).page({ name: 'Home', current_path: '/home' })
    const change = async (fields: object) =>
      createdBody(await tenant.api.put(`${workspace}/site?expand[]=head_code`, { site: fields }))
    const changed = await change({ name: 'Ours', head_code: '<a>', homepage_id: page.public_id })
    expect(changed).to.include({ name: 'Ours', head_code: '<a>', homepage_id: page.public_id })
    const home = createdBody(await tenant.api.get(`/pages/${page.id}`))
    expect(home).to.include({ type: 'site_page', current_path: '/home' })
    expect(home.url).to.match(/\.localhost\/$/)
    expect(await change({ head_code: '<b>', homepage_id: '' })).to.include({ head_code: '<a>\n<b>', homepage_id: null })
    for (const [homepage_id, text] of [
      ['nothing', 'Homepage must be an id'],
      [2_000_000_000, 'Homepage must exist'],
    ]) {
      const refused = await tenant.api.put(`${workspace}/site`, { site: { homepage_id } })
      expect([refused.status, refused.body.error]).to.deep.equal([422, `Request unprocessable: ${text}`])
    }
  })

  it('moves with the subdomain of the workspace: its default domain, and the addresses of its pages', async () => {
    const service = await testService()
    const moving = await service.tenant()
    const own = `/workspaces/${moving.workspaceId}`
    const page = await builder(moving).page({ name: 'Terms', current_path: '/terms' })
    const url = async () => createdBody(await moving.api.get(`/pages/${page.id}`)).url
    const [domain] = createdBody(await moving.api.get(`${own}/domains`))
    expect(await url()).to.equal(`http://${domain.name}/terms`)
    createdBody(await moving.api.put(own, { workspace: { name: 'Stays' } }))
    for (const subdomain of [`moved-${moving.workspaceId}`, `moved-again-${moving.workspaceId}`])
      createdBody(await moving.api.put(own, { workspace: { subdomain } }))
    await waitUntilSettled(service)
    const name = `moved-again-${moving.workspaceId}.localhost`
    expect(await url()).to.equal(`http://${name}/terms`)
    const [{ created_at, updated_at, ...renamed }] = createdBody(await moving.api.get(`${own}/domains`))
    expect(renamed).to.include({ id: domain.id, name, status: 'secured', connected: true })
    expect(updated_at > created_at).to.equal(true)
  })

  it('is reached at the port of the public listener', async () => {
    const port = await freePort()
    const listening = await (await startTestService({ MILLRACE_PUBLIC_PORT: String(port) })).tenant()
    const { id, url } = await builder(listening).page({ name: 'Terms', current_path: '/terms' })
    expect(url).to.match(new RegExp(`^http://tenant-[\\w-]+\\.localhost:${port}/terms$`))
    const asOf = new Date(Date.now() + 1000).toISOString()
    expect(createdBody(await listening.api.get(`/pages/${id}?as_of=${asOf}`)).url).to.equal(url)
  })

  it('moves with a subdomain that changes before the workspace is furnished', async () => {
    const service = await testService()
    const wide = await tenant.withScopes(['read', 'write'], 'team')
    const opened = { name: 'Hasty', subdomain: `early-${tenant.workspaceId}`, currency: 'USD' }
    const id = await service.background.accounts.openWorkspace(tenant.teamId, opened)
    createdBody(await wide.put(`/workspaces/${id}`, { workspace: { subdomain: `late-${id}` } }))
    await waitUntilSettled(service)
    const domains = createdBody(await wide.get(`/workspaces/${id}/domains`))
    expect(domains.map(({ name }: { name: string }) => name)).to.deep.equal([`late-${id}.localhost`])
  })

  it('has themes that accept a name, a style and pages, and protect those from deletion', async () => {
    const { id, styles } = await theme()
    const page = await builder(tenant).page({ name: 'Lost' })
    const change = (fields: object) => tenant.api.put(`/themes/${id}`, { theme: fields })
    const template_pages = { not_found_template_page: page.public_id }
    const changed = createdBody(await change({ custom_name: 'Ours', current_style_id: styles[1].id, template_pages }))
    expect(changed).to.include({ name: 'Default', custom_name: 'Ours', current_style_id: styles[1].id })
    expect(changed.template_pages).to.include({ ...template_pages, home_template_page: null })
    const kept = await tenant.api.delete(`/pages/${page.id}`)
    expect([kept.status, kept.body.error]).to.deep.equal([
      422,
      'Request unprocessable: This page is required by the theme and cannot be deleted.',
    ])
    createdBody(await change({ template_pages: { not_found_template_page: '' } }))
    const byId = createdBody(await change({ template_pages: { not_found_template_page: page.id } }))
    expect(byId.template_pages).to.include(template_pages)
    createdBody(await change({ template_pages: { not_found_template_page: '' } }))
    expect((await tenant.api.delete(`/pages/${page.id}`)).status).to.equal(204)
    for (const [wrong, text] of [
      [{ template_pages: { porch: null } }, 'Template pages has unknown template types: porch'],
      [{ template_pages }, 'Template pages must exist: not_found_template_page'],
    ] as const) {
      const { status, body } = await change(wrong)
      expect([status, body.error]).to.deep.equal([422, `Request unprocessable: ${text}`])
    }
    expect((await tenant.api.post(`/themes/${id}/set_default`)).status).to.equal(204)
  })
})
