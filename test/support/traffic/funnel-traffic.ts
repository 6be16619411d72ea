import { ok } from '../client.ts'
import { recordMakers } from '../records.ts'
import type { Tenant } from '../service.ts'

/** Changes of hosted and external pages, inside and outside a funnel. */
const pageTraffic = async ({ api, workspaceId }: Tenant, funnel: number): Promise<void> => {
  const pages = `/workspaces/${workspaceId}/pages`
  const { id } = ok(await api.post(pages, { page: { name: 'Life', markup: '<headline>Hi</headline>' } }))
  const change = async (fields: object) => ok(await api.put(`/pages/${id}`, { page: fields }))
  await change({ name: 'Lives', description: 'Of a page', seo_title: 'Seen', seo_index: true, head_code: '<a>' })
  await change({
    markup: '<paragraph>Bye</paragraph><image src="https://pictures.invalid/a.png"/>',
    head_code: null,
    custom_css: 'a{}',
  })
  const url = `https://example.com/life-${id}`
  const external = ok(
    await api.post(`${pages}/external`, { page: { external_url: url, funnel: { funnel_id: funnel } } }),
  )
  ok(await api.put(`/pages/${external.id}`, { page: { external_url: `${url}/moved`, description: 'Far away' } }))
  const onto = { funnel: { show_page_step_id: external.show_page_step.id } }
  ok(await api.put(`/pages/${id}`, { page: onto }))
  ok(await api.put(`/workspaces/${workspaceId}/site`, { site: { homepage_id: external.public_id } }))
  ok(await api.put(`/workspaces/${workspaceId}/site`, { site: { frame_ancestors: ['https://partner.example'] } }))
  ok(await api.put(`/pages/${id}/opt_in`, { opt_in: { next_page_id: external.id } }))
  ok(await api.delete(`/pages/${external.id}`))
  ok(await api.delete(`/pages/${id}`))
}

const splitTraffic = async (
  tenant: Tenant,
  funnel: number,
  pages: readonly { readonly id: number }[],
): Promise<void> => {
  const { api } = tenant
  const page = () => recordMakers.page!.make(tenant)
  const filter = ok(await api.get(`/refine_filters/${await recordMakers.refine_filter!.make(tenant)}`))
  const tests = `/funnels/${funnel}/split_test_steps`
  const variants = [{ page_id: pages[1]!.id }, { page_id: await page() }]
  const test = ok(await api.post(tests, { split_test_step: { variants } }))
  const other = [{ weight: 70 }, { page_id: await page(), weight: 30 }]
  ok(await api.call('PATCH', `${tests}/${test.id}`, { split_test_step: { variants: other } }))
  const conditionals = `/funnels/${funnel}/conditional_split_steps`
  const { id } = ok(await api.post(conditionals))
  const branches = [{ page_id: await page() }, { page_ids: [await page(), await page()] }]
  const fields = { condition: { filter_id: filter.public_id }, branches }
  ok(await api.call('PATCH', `${conditionals}/${id}`, { conditional_split_step: fields }))
  ok(await api.delete(`${conditionals}/${id}?branch=matched`))
  ok(await api.delete(`${tests}/${test.id}`))
}

/** A funnel is built, rearranged and taken live, with its pages, filters and themes. */
export const funnelTraffic = async (tenant: Tenant): Promise<void> => {
  const { api, workspaceId } = tenant
  const { id } = ok(
    await api.post(`/workspaces/${workspaceId}/funnels`, { funnel: { name: 'Life', head_code: '<a>' } }),
  )
  const change = async (fields: object) => ok(await api.put(`/funnels/${id}`, { funnel: fields }))
  const [domain] = ok(await api.get(`/workspaces/${workspaceId}/domains`))
  await change({ name: 'Lives', domain_id: domain.id, footer_code: '<b>', live_mode: true })
  await change({ domain_id: null, live_mode: false })
  const place = async (name: string) =>
    ok(await api.post(`/workspaces/${workspaceId}/pages`, { page: { name, funnel: { funnel_id: id } } }))
  const pages = [await place('One'), await place('Two'), await place('Three')]
  ok(await api.put(`/pages/${pages[2].id}`, { page: { sort_order: 0 } }))
  await splitTraffic(tenant, id, pages)
  await pageTraffic(tenant, id)
  const site = `/workspaces/${workspaceId}/site`
  ok(await api.put(site, { site: { name: 'Seen', footer_code: '<b>' } }))
  await themeTraffic(tenant, pages[0].public_id)
  const tag = await recordMakers['funnels/tag']!.make(tenant)
  ok(await api.post(`/workspaces/${workspaceId}/funnels`, { funnel: { name: 'Tagged', tag_ids: [tag] } }))
  ok(await api.delete(`/funnels/tags/${tag}`))
  await filterTraffic(tenant)
}

const themeTraffic = async ({ api, workspaceId }: Tenant, page: string): Promise<void> => {
  const [theme] = ok(await api.get(`/workspaces/${workspaceId}/themes`))
  const template_pages = { home_template_page: page }
  const fields = { custom_name: 'Ours', current_style_id: theme.styles[1].id, template_pages }
  ok(await api.put(`/themes/${theme.id}`, { theme: fields }))
  ok(await api.post(`/themes/${theme.id}/set_default`))
}

const filterTraffic = async ({ api, workspaceId }: Tenant): Promise<void> => {
  const criteria = [{ attribute: 'first_name', clause: 'sw', value: 'Ad' }]
  const made = { refine_filter: { name: 'Ads', criteria } }
  const { id } = ok(await api.post(`/workspaces/${workspaceId}/refine_filters`, made))
  const other = { name: 'Lovelaces', criteria: [{ attribute: 'last_name', clause: 'eq', value: 'Lovelace' }] }
  ok(await api.call('PATCH', `/refine_filters/${id}`, { refine_filter: other }))
  ok(await api.delete(`/refine_filters/${id}`))
}
