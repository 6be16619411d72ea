import { type funnel, showPageStep } from '../../domain/funnels/funnel/model.ts'
import { type AttachedProduct, locatePage } from '../../domain/funnels/public.ts'
import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import { inSlices } from '../../domain/kernel/values/turns.ts'
import { IMAGES } from '../../domain/media/public.ts'
import { parseMarkup } from '../../domain/pages/markup/tree.ts'
import type { page } from '../../domain/pages/page/model.ts'
import { urlOf } from '../../domain/pages/public.ts'
import { zoneOfWorkspace } from '../../domain/resources/attributes/time-zone.ts'
import { originOf } from '../../domain/sites/public.ts'
import { site as siteModel } from '../../domain/sites/site/model.ts'
import { productsOf } from './products.ts'
import type { PageContent } from './rendering/context.ts'
import { wholeDocument } from './rendering/own-document.ts'
import { inSections } from './rendering/sections.ts'
import type { Reading } from './site.ts'
import { tokenOf } from './token.ts'

type Page = RecordOf<typeof page>
type Funnel = RecordOf<typeof funnel>

/** Page with the funnel that shows it. */
export interface PlacedPage {
  readonly page: Page
  readonly funnel: Funnel | undefined
}

export const texts = (...all: readonly (string | null | undefined)[]): readonly string[] =>
  all.filter((text) => !!text) as string[]

const styleOf = async (
  { theme_id }: Page,
  siteTheme: number | null | undefined,
  { load }: Reading,
): Promise<string> => {
  const theme = (await load.one('theme', theme_id)) ?? (await load.one('theme', siteTheme))
  const style = await load.one('style', Number(theme?.current_style_id ?? Number.NaN))
  return String(style?.name ?? '')
}

const attachedTo = async (
  { page, funnel: parent }: PlacedPage,
  { load }: Reading,
): Promise<readonly AttachedProduct[]> => {
  if (!parent) return []
  const [step] = await load.where('funnels/show_page_step', 'page_id', page.id)
  return step ? recordOf(showPageStep)(step).products : []
}

/** Returns the address of a page, as answers of the API have it. */
export const addressOf = async (
  { page, funnel: parent }: PlacedPage,
  isHomepage: boolean,
  { load }: Reading,
): Promise<string | null> => {
  const node = parent && locatePage(parent.tree, page.id)?.node
  const origin = await originOf(load, page.workspace_id ?? 0, parent?.domain_id)
  const step = parent && node && { funnelPath: String(parent.current_path), stepPath: node.current_path }
  return urlOf(page, origin, step, isHomepage)
}

/** Returns where the pictures of other hosts in a page are served by its own. */
export const picturesOf = async (
  { pictures }: Pick<Page, 'pictures'>,
  { load }: Reading,
): Promise<ReadonlyMap<string, string>> => {
  const ids = pictures.flatMap(({ image_id }) => image_id ?? [])
  const keys = new Map((await load.many('image', ids)).map(({ id, key }) => [id, key]))
  return new Map(
    pictures.flatMap(({ src, image_id }) => {
      const key = image_id === null ? undefined : keys.get(image_id)
      return key === undefined ? [] : [[src, `${IMAGES}${image_id}/${key}/x-large`] as const]
    }),
  )
}

/** Loads everything that a page shows. */
export const loadContent = async (placed: PlacedPage, reading: Reading): Promise<PageContent> => {
  const { page, funnel: parent } = placed
  const { load } = reading
  const workspaceId = page.workspace_id ?? 0
  const [found, workspace] = await Promise.all([load.one('site', workspaceId), load.one('workspace', workspaceId)])
  const site = found && recordOf(siteModel)(found)
  const [style, attached, url, token, pictures] = await Promise.all([
    styleOf(page, site?.theme_id, reading),
    attachedTo(placed, reading),
    addressOf(placed, site?.homepage_id === page.id, reading),
    tokenOf(page, reading.service),
    picturesOf(page, reading),
  ])
  const products = await productsOf(attached, reading)
  const elements = inSections(await inSlices(parseMarkup(page.markup ?? '')))
  return {
    title: page.seo_title || page.name || '',
    description: page.seo_description,
    url,
    token,
    isIndexed: page.seo_index === true && parent?.live_mode !== false,
    elements,
    own: await wholeDocument(elements),
    headCode: texts(site?.head_code, parent?.head_code, page.head_code),
    footerCode: texts(site?.footer_code, parent?.footer_code, page.footer_code),
    customCss: page.custom_css ?? '',
    style,
    ...products,
    pictures,
    frameAncestors: site?.frame_ancestors ?? [],
    zone: zoneOfWorkspace(workspace),
  }
}
