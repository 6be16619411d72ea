import { ok } from '../../support/client.ts'
import { communitiesOf } from '../../support/communities.ts'
import { coursesOf } from '../../support/courses.ts'
import { recordMakers } from '../../support/records.ts'
import type { Tenant } from '../../support/service.ts'
import type { OnSale, Shop } from '../../support/traffic/shop.ts'
import { GOODS, type Good } from './oracle.ts'

/** A good that is on sale, with what it gives. */
export interface OnShelf {
  readonly line: OnSale
  readonly lessonId: number
  readonly spaceId: number
  readonly fileId: number
}

export interface Shelf {
  readonly communityId: number
  readonly goods: Readonly<Record<Good, OnShelf>>
}

const MONTHLY = { payment_type: 'subscription', interval: 'months' }
const PRICES: Readonly<Record<Good, object>> = {
  once: { amount: 20 },
  all: { amount: 50 },
  basic: { amount: 10, ...MONTHLY },
  dear: { amount: 30, ...MONTHLY },
}

/** Puts all goods on sale in a workspace, each with a course, a space and a file of its own. */
export const shelfOf = async (tenant: Tenant, shop: Shop): Promise<Shelf> => {
  const courses = coursesOf(tenant)
  const communities = communitiesOf(tenant)
  const { id: communityId } = await communities.community()
  const put = async (good: Good): Promise<OnShelf> => {
    const line = await shop.sells(PRICES[good])
    const { id: course_id, sections } = await courses.taught(1)
    const group = await communities.group(communityId)
    const { id: spaceId } = await communities.space(group.id, { access: 2 })
    const fileId = await recordMakers.download!.make(tenant)
    const { asset_id } = ok(await tenant.api.get(`/downloads/${fileId}`))
    const products_variant = {
      ...(good === 'all' ? { has_access_to_all_valid_assets: true } : { asset_ids: [asset_id] }),
      included_courses_attributes: [{ course_id }],
      included_space_groups_attributes: [{ communities_space_group_id: group.id }],
    }
    ok(await tenant.api.put(`/products/variants/${line.variant_id}`, { products_variant }))
    return { line, lessonId: sections[0]!.lessons[0]!, spaceId, fileId }
  }
  const goods = {} as Record<Good, OnShelf>
  for (const good of GOODS) goods[good] = await put(good)
  const options = async (from: Good, offered: object) =>
    ok(
      await tenant.api.put(`/products/variants/${goods[from].line.variant_id}/change_options`, {
        products_variant: offered,
      }),
    )
  await options('basic', { upgrade_price_ids: [goods.dear.line.products_price_id] })
  await options('dear', { downgrade_price_ids: [goods.basic.line.products_price_id] })
  return { communityId, goods }
}
