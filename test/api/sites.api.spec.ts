import { expect } from 'chai'
import { builder, made } from '../support/funnels.ts'
import { type Tenant, testService } from '../support/service.ts'

describe('the site of a workspace', () => {
  let tenant: Tenant
  let workspace: string
  before(async () => {
    tenant = await (await testService()).tenant()
    workspace = `/workspaces/${tenant.workspaceId}`
  })
  const theme = async () => made(await tenant.api.get(`${workspace}/themes`))[0]

  it('is there from the start, with a theme, styles and a domain', async () => {
    const { public_id, styles, current_style_id } = await theme()
    const site = made(await tenant.api.get(`${workspace}/site`))
    expect(site).to.include({ workspace_id: tenant.workspaceId, theme_id: public_id, homepage_id: null })
    expect(current_style_id).to.equal(styles[0].id)
    const listed = made(await tenant.api.get(`${workspace}/styles`))
    expect(listed.map(({ id, name }: { id: number; name: string }) => ({ id, name }))).to.deep.equal(styles)
    const [domain] = made(await tenant.api.get(`${workspace}/domains`))
    expect(domain).to.include({ status: 'secured', connected: true })
    expect(domain.name).to.match(/^tenant-\w+\.localhost$/)
    expect(made(await tenant.api.get(`/domains/${domain.public_id}`))).to.deep.equal(domain)
  })

  it('takes a name, code and a homepage', async () => {
    const page = await builder(tenant).page({ name: 'Home', current_path: '/home' })
    const change = async (fields: object) =>
      made(await tenant.api.put(`${workspace}/site?expand[]=head_code`, { site: fields }))
    const changed = await change({ name: 'Ours', head_code: '<a>', homepage_id: page.public_id })
    expect(changed).to.include({ name: 'Ours', head_code: '<a>', homepage_id: page.public_id })
    const home = made(await tenant.api.get(`/pages/${page.id}`))
    expect(home).to.include({ type: 'site_page', current_path: '/home' })
    expect(home.url).to.match(/\.localhost\/$/)
    expect(await change({ head_code: '<b>', homepage_id: '' })).to.include({ head_code: '<a>\n<b>', homepage_id: null })
    const refused = await tenant.api.put(`${workspace}/site`, { site: { homepage_id: 'nothing' } })
    expect([refused.status, refused.body.error]).to.deep.equal([422, 'Request unprocessable: Homepage must exist'])
  })

  it('has themes that take a name, a style and pages, and keep those from being deleted', async () => {
    const { id, styles } = await theme()
    const page = await builder(tenant).page({ name: 'Lost' })
    const change = (fields: object) => tenant.api.put(`/themes/${id}`, { theme: fields })
    const template_pages = { not_found_template_page: page.public_id }
    const changed = made(await change({ custom_name: 'Ours', current_style_id: styles[1].id, template_pages }))
    expect(changed).to.include({ name: 'Default', custom_name: 'Ours', current_style_id: styles[1].id })
    expect(changed.template_pages).to.include({ ...template_pages, home_template_page: null })
    const kept = await tenant.api.delete(`/pages/${page.id}`)
    expect([kept.status, kept.body.error]).to.deep.equal([
      422,
      'Request unprocessable: This page is required by the theme and cannot be deleted.',
    ])
    made(await change({ template_pages: { not_found_template_page: '' } }))
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
