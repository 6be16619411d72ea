import type { Reader } from '../../kernel/decide/rules.ts'
import { product, variant } from './model.ts'

/** What the buyers of a variant get access to. */
export interface Included {
  /** Courses of which all is included. */
  readonly course_ids: readonly number[]
  /** Sections of the others. */
  readonly section_ids: readonly number[]
  readonly space_group_ids: readonly number[]
  readonly asset_ids: readonly number[]
  /** Whether every asset of the workspace is included. */
  readonly all_assets: boolean
}

/** Returns what a variant includes: itself, and by the default variant of its product. */
export const includedIn = async (variantId: number, read: Reader): Promise<Included> => {
  const own = await read.one(variant, variantId)
  const of = own && !own.default ? await read.one(product, own.product_id) : undefined
  const from = of && (await read.one(variant, of.default_variant_id))
  const all = [own, from].filter((one) => one !== undefined)
  const courses = all.flatMap(({ included_courses }) => included_courses)
  return {
    course_ids: courses.flatMap(({ course_id, section_ids }) => (section_ids === null ? course_id : [])),
    section_ids: courses.flatMap(({ section_ids }) => section_ids ?? []),
    space_group_ids: all.flatMap(({ space_group_ids }) => space_group_ids),
    asset_ids: all.flatMap(({ asset_ids }) => asset_ids ?? []),
    all_assets: all.some((one) => one.has_access_to_all_valid_assets === true),
  }
}
