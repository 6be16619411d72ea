import { funnel as funnelModel } from '../../domain/funnels/funnel/model.ts'
import { locatePage } from '../../domain/funnels/public.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import { findInTurns } from '../../domain/kernel/ports/get-in-turns.ts'
import { inStretches } from '../../domain/kernel/ports/read-on.ts'
import { page as pageModel } from '../../domain/pages/page/model.ts'
import { urlOf } from '../../domain/pages/public.ts'
import { originOf } from '../../domain/sites/public.ts'
import type { Reading, Site } from './site.ts'

/** Page of a site with its own address. */
export interface ListedPage {
  readonly page: RecordOf<typeof pageModel>
  readonly funnel: RecordOf<typeof funnelModel> | undefined
  readonly url: URL
}

const openPage = recordOf(pageModel)
const openFunnel = recordOf(funnelModel)

/** Pages that are read at a time, and the highest number of all. Their markup comes with them. */
const BATCH = 200
const MOST = 200_000

/** Yields the pages of a workspace in the order of their ids, some at a time. */
async function* pagesOf({ workspaceId }: Site, { service, sources }: Reading) {
  sources.collection('page')
  let count = 0
  const query = { where: { workspace_id: workspaceId }, limit: BATCH }
  for await (const found of inStretches((next) => findInTurns(service, 'page', next), query)) {
    yield found.map(openPage)
    count += found.length
    if (count >= MOST) return
  }
}

/** Calls back with every page that is hosted at a site, with the address that answers of the API give it. */
export const eachPage = async (site: Site, reading: Reading, visit: (listed: ListedPage) => void): Promise<void> => {
  const { load } = reading
  const home = (await load.one('site', site.workspaceId))?.homepage_id
  const origins = new Map<number | null, string | undefined>()
  const originFor = async (domainId: number | null): Promise<string | undefined> => {
    if (!origins.has(domainId)) origins.set(domainId, await originOf(load, site.workspaceId, domainId))
    return origins.get(domainId)
  }
  for await (const pages of pagesOf(site, reading)) {
    for (const page of pages.filter(({ external }) => !external)) {
      const document = await load.one('funnel', page.funnel_id)
      const funnel = document && openFunnel(document)
      const node = funnel && locatePage(funnel.tree, page.id)?.node
      const step = funnel && node && { funnelPath: String(funnel.current_path), stepPath: node.current_path }
      const url = urlOf(page, await originFor(funnel?.domain_id ?? null), step, home === page.id)
      if (url === null || !URL.canParse(url)) continue
      const parsed = new URL(url)
      if (site.domainId === undefined || parsed.hostname === site.host)
        visit({ page, funnel: step && funnel, url: parsed })
    }
  }
}
