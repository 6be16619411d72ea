import { spaceGroup } from '../../communities/community/model.ts'
import { course, section } from '../../courses/course/model.ts'
import { funnel, showPageStep } from '../../funnels/funnel/model.ts'
import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Reader, rules } from '../../kernel/decide/rules.ts'
import { idAt } from '../../kernel/values/ids.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { rooted } from '../../resources/attributes/slug.ts'
import { coursesAfter, groupsAfter, type Includable, type SentCourse, type SentGroup } from './includes.ts'
import { product, variant } from './model.ts'
import { combination, type Property, type PropertyValue, sameKey, tidy } from './properties.ts'

const { event } = product

type SentProperty = { readonly id?: number; readonly name: string }
type Product = DecisionContext<typeof product>
type ProductOf<Input = unknown> = ActContext<typeof product, Input>
type Includes = {
  readonly included_courses_attributes: readonly SentCourse[]
  readonly included_space_groups_attributes: readonly SentGroup[]
}
type Variant = DecisionContext<typeof variant, Includes>

/** Whether the product is on a step of a live funnel. */
const isOnLiveFunnel = async (productId: number, workspaceId: number, read: Reader): Promise<boolean> => {
  const live = await read.find(funnel, { where: { workspace_id: workspaceId, live_mode: true } })
  if (live.length === 0) return false
  const steps = await read.find(showPageStep, { where: { funnel_id: { $in: live.map(({ id }) => id) } } })
  return steps.some(({ products }) => products.some(({ product_id }) => product_id === productId))
}

const loadFacts = ({ act, id, before }: Product, read: Reader) =>
  act === 'archive' && isOnLiveFunnel(id, before?.workspace_id ?? 0, read)

/** The first id of a creation is for the default variant, the others are for properties. */
const begin = ({ before, ids, after }: Product) =>
  before ? undefined : { default_variant_id: idAt(ids, 0), tag_ids: [...new Set(after.tag_ids)] }

const path = ({ after: { current_path } }: Product) =>
  current_path === null || current_path.trim() === '' ? undefined : { current_path: rooted(current_path) }

/** Refuses to drop a property in which variants differ, since they would become the same. */
const setProperties = ({ before, wanted, ids, records }: Product) => {
  if (!wanted.variant_properties) return undefined
  const sent: readonly SentProperty[] = wanted.variant_properties
  const held = before?.variant_properties ?? []
  const says = (text: string, code: string) =>
    refuse.invalid(`Variant properties ${text}`, 'product.variant_properties', code)
  const named = sent.flatMap(({ id }) => (id === undefined ? [] : [id]))
  if (named.some((id, index) => !held.some((one) => one.id === id) || named.indexOf(id) !== index))
    return says('contain an id that is not a property of this product, or one twice', 'inclusion')
  if (new Set(sent.map(({ name }) => sameKey(name))).size < sent.length)
    return says('have the same name twice', 'taken')
  const all = records.all(variant)
  const varies = held.find(({ id }) => {
    const found = all.flatMap(({ properties_values }) => properties_values.filter((one) => one.property_id === id))
    return !named.includes(id) && new Set(found.map(({ value }) => sameKey(value))).size > 1
  })
  if (varies) return says(`cannot leave out ${varies.name}, which has several values across variants`, 'occupied')
  const fresh = ids.slice(before ? 0 : 1)
  let next = 0
  return {
    variant_properties: sent.map(({ id, name }): Property => ({ id: id ?? fresh[next++] ?? 0, name: tidy(name) })),
  }
}

const archive = ({ before }: ProductOf, onLiveFunnel: boolean) => {
  if (before.archived) return refuse.conflict('Product is already archived')
  if (before.visible_in_store || before.visible_in_customer_center || onLiveFunnel)
    return refuse.invalid("A product can only be archived if it's not in the live state.", 'archived', 'live')
  return [event.ProductArchived()]
}

const unarchive = ({ before }: ProductOf) =>
  before.archived ? [event.ProductUnarchived()] : refuse.conflict('Product is not archived')

const tidied = (values: readonly PropertyValue[]): readonly PropertyValue[] =>
  values.map(({ property_id, value }) => ({ property_id, value: tidy(value) }))

/** Requires one value for each property and no others. No two variants may have the same values. */
const setValues = ({ id, before, wanted, records }: Variant) => {
  const properties = records.root(product)?.variant_properties ?? []
  if (before && !wanted.properties_values) return undefined
  const sent = tidied(wanted.properties_values ?? [])
  const says = (text: string, code: string) =>
    refuse.invalid(`Properties values ${text}`, 'products_variant.properties_values', code)
  if (before?.default) return sent.length === 0 ? undefined : says('must be empty on the default variant', 'present')
  const isCovered = properties.every((one) => sent.filter(({ property_id }) => property_id === one.id).length === 1)
  if (!isCovered || sent.length !== properties.length)
    return says('must have one value for every property of the product', 'blank')
  const others = records.all(variant).filter((one) => one.id !== id && !one.default)
  const own = combination(properties, sent)
  if (properties.length > 0 && others.some((one) => combination(properties, one.properties_values) === own))
    return says('have already been taken', 'taken')
  return { properties_values: sent }
}

/** Defaults the name to `<product> - v1 / v2`, in the order of the properties. */
const nameVariant = ({ before, after, records }: Variant) => {
  if (after.name !== null) return undefined
  const { name = '', variant_properties = [] } = records.root(product) ?? {}
  const values = variant_properties.flatMap(
    ({ id }) => after.properties_values.find(({ property_id }) => property_id === id)?.value ?? [],
  )
  return { name: before?.default || values.length === 0 ? name : `${name} - ${values.join(' / ')}` }
}

/** Reads the courses and groups that a request names, as far as they are there. */
const loadIncludable = async ({ before, wanted }: Variant, read: Reader): Promise<Includable> => {
  const sent = wanted.included_courses_attributes ?? []
  const groupIds = (wanted.included_space_groups_attributes ?? []).flatMap(
    ({ communities_space_group_id: id }) => id ?? [],
  )
  const courseIds = [...sent, ...(sent.length > 0 ? (before?.included_courses ?? []) : [])].flatMap(
    ({ course_id }) => course_id ?? [],
  )
  const [courses, groups] = await Promise.all([
    read.many(course, [...new Set(courseIds)]),
    read.many(spaceGroup, [...new Set(groupIds)]),
  ])
  const sections = await Promise.all(courses.map(({ id }) => read.find(section, { where: { course_id: id } })))
  return {
    sections: new Map(courses.map(({ id }, index) => [id, (sections[index] ?? []).map((one) => one.id)])),
    groups: new Set(groups.map(({ id }) => id)),
  }
}

/** Sets what a purchase gives access to. */
const include = ({ before, wanted, ids }: Variant, includable: Includable) => {
  let next = 0
  const mint = () => idAt(ids, next++)
  const { included_courses_attributes: courses, included_space_groups_attributes: groups } = wanted
  const included_courses = courses && coursesAfter(before?.included_courses ?? [], courses, includable, mint)
  if (included_courses instanceof Refusal) return included_courses
  const included_space_groups = groups && groupsAfter(before?.included_space_groups ?? [], groups, includable, mint)
  if (included_space_groups instanceof Refusal) return included_space_groups
  return {
    ...(included_courses && { included_courses, course_ids: included_courses.map(({ course_id }) => course_id) }),
    ...(included_space_groups && {
      included_space_groups,
      space_group_ids: included_space_groups.map((one) => one.communities_space_group_id),
    }),
  }
}

type Ended = { readonly ended_ids: readonly number[] }

/** Includes courses that were deleted no more. */
const loseCourses = ({ id, before, wanted: { ended_ids } }: ActContext<typeof variant, Ended>) => {
  const included_courses = before.included_courses.filter(({ course_id }) => !ended_ids.includes(course_id))
  const course_ids = included_courses.map(({ course_id }) => course_id)
  return course_ids.length < before.course_ids.length
    ? [event.VariantChanged({ variant_id: id, included_courses, course_ids })]
    : []
}

/** Includes groups that were deleted no more. */
const loseGroups = ({ id, before, wanted: { ended_ids } }: ActContext<typeof variant, Ended>) => {
  const left = before.included_space_groups.filter((one) => !ended_ids.includes(one.communities_space_group_id))
  const space_group_ids = left.map((one) => one.communities_space_group_id)
  return space_group_ids.length < before.space_group_ids.length
    ? [event.VariantChanged({ variant_id: id, included_space_groups: left, space_group_ids })]
    : []
}

const setChangeOptions = ({ before, wanted }: ActContext<typeof variant>) => {
  const { upgrade_price_ids = before.upgrade_price_ids, downgrade_price_ids = before.downgrade_price_ids } = wanted
  return [
    event.VariantChangeOptionsSet({
      variant_id: before.id,
      upgrade_price_ids: [...new Set(upgrade_price_ids)],
      downgrade_price_ids: [...new Set(downgrade_price_ids)],
    }),
  ]
}

/** Rules of a product and its variants (spec 2.3). */
export const products = decider(product, {
  rules: rules(product, { loadFacts, save: [begin, path, setProperties], acts: { archive, unarchive } }),
  children: [
    rules(variant, {
      loadFacts: loadIncludable,
      save: [include, setValues, nameVariant],
      acts: { setChangeOptions, loseCourses, loseGroups },
    }),
  ],
})
