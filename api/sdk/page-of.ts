import { funnel, showPageStep } from '../../domain/funnels/funnel/model.ts'
import { type AttachedProduct, locatePage, type PageNode } from '../../domain/funnels/public.ts'
import { beside } from '../../domain/kernel/decide/bound-reader.ts'
import { readerOver } from '../../domain/kernel/decide/rules.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import { page } from '../../domain/pages/page/model.ts'
import { urlOf } from '../../domain/pages/public.ts'
import { pathKey } from '../../domain/resources/attributes/path-key.ts'
import { originsOf } from '../../domain/sites/public.ts'
import { theme } from '../../domain/sites/theme/model.ts'
import { createLoader } from '../../projections/loading/live-loader.ts'
import { remembering } from '../http/remembering.ts'
import { SdkRefusal } from './refusal.ts'
import type { SdkService } from './service.ts'

/**
 * How a page is served: `live`; `test` at its registered address while its funnel is in test mode; `preview` at another address meanwhile, or without a
 * funnel, where nothing is saved.
 */
export type Mode = 'live' | 'test' | 'preview'

/** Step of a funnel that shows a page. */
export interface PageStep {
  readonly id: number
  readonly node: PageNode
  readonly funnel: RecordOf<typeof funnel>
  readonly products: readonly AttachedProduct[]
}

/** Where a page is registered or served. */
export interface Addresses {
  /** The address that answers of the API give it, with its fragment; `null`: it has none. */
  readonly url: string | null
  /** Origins at which it is served, if it is hosted here. */
  readonly origins: readonly string[]
}

/** Page with its place. */
export interface LocatedPage extends Pick<Addresses, 'origins'> {
  readonly page: RecordOf<typeof page>
  readonly workspaceId: number
  readonly teamId: number | undefined
  readonly step: PageStep | undefined
  /** Origin and path at which the page is registered or served; `null`: it has none. */
  readonly registeredUrl: string | null
  /** Whether a theme shows it at addresses of others. */
  readonly isTemplate: boolean
}

/** Whether forms of a page are taken: those of a page that others host only once it is a step of a funnel (spec 4.2). */
export const takesForms = ({ step, page: { external } }: Pick<LocatedPage, 'step' | 'page'>): boolean =>
  step !== undefined || !external

/** Page that calls, at the address where the browser has it. */
export interface FoundPage extends LocatedPage {
  readonly mode: Mode
  /** Origin and path at which the browser has it. */
  readonly url: string
}

/** Where a page says that it is. */
export interface Caller {
  readonly token: string
  /** Address of the page. Only origin and path count. */
  readonly url: string
  /** `Origin` of the request; `null`: the request is a navigation, whose origin a nonce vouches for. */
  readonly origin: string | null
}

const TOKEN = /^cfp_[A-Za-z0-9]{24}$/
const MOST_URL = 2048

/** Origin of a page, and its address without query and fragment. */
interface Place {
  readonly origin: string
  readonly address: string
}

const readPlace = (url: string): Place | undefined => {
  if (url.length > MOST_URL || !URL.canParse(url)) return undefined
  const { protocol, origin, pathname } = new URL(url)
  if (protocol === 'file:') return { origin: 'null', address: `file://${pathname}` }
  return protocol === 'http:' || protocol === 'https:' ? { origin, address: origin + pathname } : undefined
}

/** Returns origin and path of an address; `undefined` for what is none. The origin of a file is the text `null`. */
const placeIn = remembering(readPlace, { most: 2000, longest: MOST_URL })

/** Returns the step that shows a page; `undefined` for a page outside of funnels. */
export const stepOf = async (found: RecordOf<typeof page>, service: SdkService): Promise<PageStep | undefined> => {
  const read = readerOver(beside(service.everywhere, found))
  const [shown] = await read.find(showPageStep, { where: { page_id: found.id }, limit: 1 })
  const document = shown && (await service.everywhere.get(funnel.name, shown.funnel_id))
  const parent = document && recordOf(funnel)(document)
  const located = parent && locatePage(parent.tree, found.id)
  return located && { id: shown.id, node: located.node, funnel: parent, products: shown.products }
}

/** Returns where a page is registered or served. */
export const addressesOf = async (
  found: RecordOf<typeof page>,
  step: Pick<PageStep, 'node' | 'funnel'> | undefined,
  service: SdkService,
): Promise<Addresses> => {
  if (found.external) return { url: urlOf(found, undefined, undefined), origins: [] }
  const { workspace_id: workspaceId = 0 } = found
  const load = createLoader(service, false)
  const origins = await originsOf(load, workspaceId, step?.funnel.domain_id)
  const site = await load.one('site', workspaceId)
  const address = step && { funnelPath: String(step.funnel.current_path), stepPath: step.node.current_path }
  return { url: urlOf(found, origins[0], address, site?.homepage_id === found.id), origins }
}

/** Whether a theme shows a page at addresses of others: around the posts of a blog, or where there is no page. */
const isTemplate = async (
  { id, workspace_id = 0 }: RecordOf<typeof page>,
  { everywhere: live }: SdkService,
): Promise<boolean> =>
  (await live.find(theme.name, { where: { workspace_id, template_page_ids: id }, limit: 1 })).length > 0

/** Returns how a page is served. One outside of funnels is live, since nothing but a funnel has a test mode. */
const modeAt = (step: PageStep | undefined, isRegistered: boolean): Mode => {
  if (isRegistered) return !step || step.funnel.live_mode ? 'live' : 'test'
  if (!step?.funnel.live_mode) return 'preview'
  throw new SdkRefusal('url_mismatch', 'The page is registered at another address, and its funnel is live')
}

const locate = async (service: SdkService, token: string): Promise<LocatedPage> => {
  const [document] = await service.everywhere.find(page.name, { where: { token }, limit: 1 })
  if (!document) throw new SdkRefusal('unknown_token', 'No page has this token')
  const found = recordOf(page)(document)
  const step = await stepOf(found, service)
  const { url, origins } = await addressesOf(found, step, service)
  return {
    page: found,
    workspaceId: found.workspace_id ?? 0,
    teamId: typeof document.team_id === 'number' ? document.team_id : undefined,
    step,
    registeredUrl: (url === null ? undefined : placeIn(url)?.address) ?? null,
    origins,
    isTemplate: !step && !found.external && (await isTemplate(found, service)),
  }
}

const keyIn = (address: string): string | undefined => pathKey(new URL(address).pathname)

/** Returns whether a page is served at an address: its own, or for one that is hosted here, its path under any of its names. */
const isRegisteredAt = ({ registeredUrl, origins, isTemplate }: LocatedPage, { origin, address }: Place): boolean => {
  if (registeredUrl === null || registeredUrl === address) return registeredUrl === address
  return origins.includes(origin) && (isTemplate || keyIn(address) === keyIn(registeredUrl))
}

/** Pages at their registered addresses, where nearly all calls are from. */
const registered = new WeakMap<LocatedPage, FoundPage>()

const foundAt = (located: LocatedPage, place: Place): FoundPage => {
  const { address } = place
  const known = registered.get(located)
  if (known?.url === address) return known
  const found = { ...located, mode: modeAt(located.step, isRegisteredAt(located, place)), url: address }
  if (address === located.registeredUrl) registered.set(located, found)
  return found
}

/**
 * Returns the page that a call is from, and how it is served there (spec 4.3, 5.7).
 *
 * @throws {SdkRefusal} for an unknown token, a wrong or missing origin, and another address than the registered one while the funnel is live
 */
export const pageOf = async (service: SdkService, { token, url, origin }: Caller): Promise<FoundPage> => {
  const place = placeIn(url)
  if (!place) throw new SdkRefusal('bad_request', 'url must be the http or https address of the page')
  if (origin !== null && origin !== place.origin)
    throw new SdkRefusal('origin_mismatch', 'The Origin of the request is not that of the page')
  if (!TOKEN.test(token)) throw new SdkRefusal('unknown_token', 'No page has this token')
  const located = await service.pages(token, () => locate(service, token))
  return foundAt(located, place)
}
