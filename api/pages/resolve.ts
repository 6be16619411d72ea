import { funnel as funnelModel } from '../../domain/funnels/funnel/model.ts'
import { pageNodes } from '../../domain/funnels/public.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import { inSlices } from '../../domain/kernel/values/turns.ts'
import { page as pageModel } from '../../domain/pages/page/model.ts'
import { storedPathKey } from '../../domain/resources/attributes/path-key.ts'
import { domainsOf } from '../../domain/sites/public.ts'
import { theme as themeModel } from '../../domain/sites/theme/model.ts'
import { inBlog } from './blog/resolve.ts'
import { bodyInTurns } from './body.ts'
import { addressOf, loadContent, type PlacedPage } from './content.ts'
import { entryOf, isEntrySplit, stepPathOf } from './entry.ts'
import type { Outcome, Target } from './outcome.ts'
import { renderPage } from './rendering/document.ts'
import { robotsOf } from './robots.ts'
import type { Reading, Site } from './site.ts'
import { sitemapFile, sitemapOf } from './sitemap.ts'

type Funnel = RecordOf<typeof funnelModel>

const openPage = recordOf(pageModel)
const openFunnel = recordOf(funnelModel)

/** Longest path that is looked for, in segments. Funnels and steps have a few. */
const MOST_SEGMENTS = 12

const redirect = (to: Target): Outcome => ({ kind: 'redirect', to })

const show = async (placed: PlacedPage, reading: Reading): Promise<Outcome> => {
  const { service } = reading
  const settings = { sdkUrl: service.sdkUrl(), thirdParty: service.thirdParty }
  const { html, headers } = await inSlices(renderPage(await loadContent(placed, reading), settings))
  return { kind: 'body', body: await bodyInTurns([html], { 'Content-Type': 'text/html; charset=utf-8', ...headers }) }
}

/** Returns whether a host has the pages of a funnel: that of its own domain, or any of the workspace for a funnel without one. */
const isServedAt = async ({ domainId, workspaceId }: Site, funnel: Funnel, { load }: Reading): Promise<boolean> =>
  domainId === undefined || (await domainsOf(load, workspaceId, funnel.domain_id)).some(({ id }) => id === domainId)

/** Returns the entry of a funnel: a redirect to its first page, which has one address of its own, or a split. */
const enter = async (funnel: Funnel, reading: Reading): Promise<Outcome | undefined> => {
  const entry = await entryOf(funnel, reading)
  if (!entry) return undefined
  if (!isEntrySplit(entry)) {
    const isHere = 'path' in entry.to && storedPathKey(entry.to.path) === storedPathKey(String(funnel.current_path))
    const document = isHere ? await reading.load.one('page', entry.page) : undefined
    return document ? show({ page: openPage(document), funnel }, reading) : redirect(entry.to)
  }
  const teamId = typeof funnel.team_id === 'number' ? funnel.team_id : undefined
  const of = { id: funnel.id, workspaceId: funnel.workspace_id ?? 0, teamId, isLive: funnel.live_mode }
  return { kind: 'entry', entry, funnel: of }
}

/** Returns the address of a page on the site itself, or elsewhere when it is not served here. */
const targetOf = async (site: Site, placed: PlacedPage, reading: Reading): Promise<Target | undefined> => {
  const url = await addressOf(placed, false, reading)
  if (url === null) return undefined
  const isHere = !placed.page.external && (!placed.funnel || (await isServedAt(site, placed.funnel, reading)))
  return isHere ? { path: new URL(url).pathname } : { url }
}

const funnelOf = async ({ funnel_id }: RecordOf<typeof pageModel>, { load }: Reading): Promise<Funnel | undefined> => {
  const document = await load.one('funnel', funnel_id)
  return document && openFunnel(document)
}

/** Returns the first funnel that is live, or else the first one, that has a page to begin with. */
const firstFunnel = async (site: Site, reading: Reading): Promise<Outcome | undefined> => {
  const all = (await reading.load.where('funnel', 'workspace_id', site.workspaceId)).map(openFunnel)
  for (const funnel of [...all.filter((one) => one.live_mode), ...all.filter((one) => !one.live_mode)]) {
    if (pageNodes(funnel.tree).length === 0 || !(await isServedAt(site, funnel, reading))) continue
    return redirect({ path: stepPathOf(funnel, { current_path: null }) })
  }
  return undefined
}

/** Returns what is at the root: the homepage, or else the first funnel. */
const root = async (site: Site, reading: Reading): Promise<Outcome | undefined> => {
  const { load } = reading
  const found = await load.one('site', site.workspaceId)
  const document = await load.one('page', Number(found?.homepage_id ?? Number.NaN))
  if (!document) return (await inFunnels(site, '/', reading)) ?? firstFunnel(site, reading)
  const page = openPage(document)
  const funnel = await funnelOf(page, reading)
  if (!funnel && !page.external) return show({ page, funnel }, reading)
  const to = await targetOf(site, { page, funnel }, reading)
  return to && ('path' in to && to.path === '/' ? show({ page, funnel }, reading) : redirect(to))
}

/** Returns the page that a site shows where there is none: a slot of its theme. */
export const missing = async ({ workspaceId }: Site, reading: Reading): Promise<Outcome | undefined> => {
  const { load } = reading
  const site = await load.one('site', workspaceId)
  const found = await load.one('theme', Number(site?.theme_id ?? Number.NaN))
  const slots = found ? recordOf(themeModel)(found).template_pages : {}
  const document = await load.one('page', slots.not_found_template_page)
  const page = document && openPage(document)
  return page && !page.external ? show({ page: { ...page, seo_index: false }, funnel: undefined }, reading) : undefined
}

const standalone = async (site: Site, key: string, reading: Reading): Promise<Outcome | undefined> => {
  const { load } = reading
  const found = await load.where('page', 'path_key', `${site.workspaceId}${key}`)
  const document = found.find(({ external, in_funnel }) => external !== true && in_funnel !== true)
  if (!document) return undefined
  const page = openPage(document)
  const ofSite = await load.one('site', site.workspaceId)
  return ofSite?.homepage_id === page.id ? redirect({ path: '/' }) : show({ page, funnel: undefined }, reading)
}

/** Returns what a funnel has at the rest of a path. An empty rest is its entry. */
const inFunnel = async (document: Document, rest: string, reading: Reading): Promise<Outcome | undefined> => {
  const funnel = openFunnel(document)
  if (rest === '') return enter(funnel, reading)
  const node = pageNodes(funnel.tree).find(
    ({ current_path }) => current_path !== null && storedPathKey(current_path) === rest,
  )
  const found = node && (await reading.load.one('page', node.page_id))
  return found && show({ page: openPage(found), funnel }, reading)
}

/** Looks a path up in the funnels whose own path it begins with, that with the longest one first. */
const inFunnels = async (site: Site, key: string, reading: Reading): Promise<Outcome | undefined> => {
  const segments = key === '/' ? [] : key.slice(1).split('/')
  if (segments.length > MOST_SEGMENTS) return undefined
  const ends = [...segments.keys(), segments.length].reverse()
  for (const end of ends) {
    const own = `/${segments.slice(0, end).join('/')}`
    const rest = end === segments.length ? '' : `/${segments.slice(end).join('/')}`
    for (const document of await reading.load.where('funnel', 'path_key', `${site.workspaceId}${own}`)) {
      const isHere = await isServedAt(site, openFunnel(document), reading)
      const outcome = isHere ? await inFunnel(document, rest, reading) : undefined
      if (outcome) return outcome
    }
  }
  return undefined
}

/** Returns what a site has at a path, given in the form in which paths are compared; `undefined` for nothing. */
export const resolve = async (site: Site, key: string, reading: Reading): Promise<Outcome | undefined> => {
  if (key === '/') return root(site, reading)
  if (key === '/robots.txt') return { kind: 'body', body: await robotsOf(site, reading) }
  if (key === '/sitemap.xml') return sitemapOf(site, reading)
  const found = (await standalone(site, key, reading)) ?? (await inFunnels(site, key, reading))
  if (found) return found
  const [, file] = /^\/sitemap-(\d{1,4})\.xml$/.exec(key) ?? []
  return file === undefined ? inBlog(site, key, reading) : sitemapFile(site, Number(file), reading)
}
