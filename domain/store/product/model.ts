import { Type } from 'typebox'
import { countryCode } from '../../addresses/public.ts'
import { managed, requested } from '../../kernel/model/field.ts'
import { choice, data, decimal, flag, list, longText, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { pathText } from '../../resources/attributes/path.ts'
import { idAsText, nullableString } from '../../resources/schemas.ts'
import { courseGrants, groupGrants } from './includes.ts'
import { type Property, type PropertyValue, sentProperty } from './properties.ts'

const hidden = { shown: 'never' } as const

const measure = () => decimal({ nullable: true, min: 0 })

/** The contract shows some flags as text. */
const flagAsText = {
  schema: nullableString,
  of: (value: unknown) => (typeof value === 'boolean' ? String(value) : null),
} as const

/** The contract accepts one of them as text. */
const FLAG_OR_TEXT = Type.Union([Type.String({ pattern: '^(true|false)$' }), Type.Boolean(), Type.Null()])

const values = data<readonly PropertyValue[], { readonly initial: readonly [] }>(
  Type.Array(Type.Object({ property_id: Type.Integer(), value: Type.String() })),
  { initial: [] },
)

type WithValues = { readonly properties_values: readonly PropertyValue[] } | undefined
type PropertiesSet = { readonly variant_properties: readonly Property[]; readonly variant_ids: readonly number[] }

/** Variant of a product. It inherits what it leaves open from the default variant, with which each product begins. */
export const variant = model('products/variant', {
  stream: 'product',
  owner: 'product_id',
  attributes: {
    name: text({ trim: true, emptyIsNull: true, max: 1000, about: 'Absent: made from the product and the values' }),
    description: longText({ nullable: true }),
    sku: text({ nullable: true, emptyIsNull: true }),
    product_type: choice(['physical', 'digital'], { nullable: true }),
    out_of_stock_sales: flag({ nullable: true, shown: flagAsText }),
    weight: measure(),
    weight_unit: text({ nullable: true, max: 20 }),
    height: measure(),
    width: measure(),
    length: measure(),
    dimensions_unit: text({ nullable: true, max: 20 }),
    tax_category_id: reference('tax_category', { nullable: true, shown: idAsText }),
    taxable: { ...flag({ nullable: true, shown: flagAsText }), sends: FLAG_OR_TEXT },
    track_quantity: flag({ nullable: true, initial: false }),
    archived: flag({ nullable: true, initial: false }),
    visible: flag({ nullable: true, initial: true }),
    fulfillment_required: flag({ nullable: true, initial: false }),
    country_of_manufacture_id: countryCode({ nullable: true }),
    image_ids: list(reference('image'), { nullable: true, initial: [] }),
    fulfillments_location_ids: list(reference('fulfillments/location'), { nullable: true, initial: [] }),
    properties_values: requested(values),
    has_access_to_all_valid_assets: flag({
      nullable: true,
      initial: false,
      consequence: { says: 'changes which files buyers have' },
    }),
    asset_ids: list(reference('asset'), {
      nullable: true,
      initial: [],
      consequence: { says: 'changes which files buyers have' },
    }),
    included_courses: managed(courseGrants(), { shown: 'never' }),
    included_space_groups: managed(groupGrants(), { shown: 'never' }),
    /** Courses and groups of spaces that it includes, by which those are found. */
    course_ids: managed(list(reference('course', { onTargetEnd: { act: 'loseCourses' } }), { initial: [] }), hidden),
    space_group_ids: managed(
      list(reference('communities/space_group', { onTargetEnd: { act: 'loseGroups' } }), { initial: [] }),
      hidden,
    ),
    default: managed(flag({ initial: false })),
    upgrade_price_ids: managed(list(reference('products/price'), { initial: [] }), { shown: 'never' }),
    downgrade_price_ids: managed(list(reference('products/price'), { initial: [] }), { shown: 'never' }),
  },
  events: {
    ProductCreated: {
      of: ({ default_variant_id }: { readonly default_variant_id: number }) => [default_variant_id],
      evolve: (_: unknown, { name }: { readonly name: string }) =>
        ({ name, default: true, product_type: 'digital' }) as const,
    },
    VariantAdded: { creates: true, except: ['default', 'upgrade_price_ids', 'downgrade_price_ids'] },
    VariantChanged: { changes: 'rest' },
    VariantChangeOptionsSet: { sets: ['upgrade_price_ids', 'downgrade_price_ids'] },
    ProductPropertiesSet: {
      of: ({ variant_ids }: PropertiesSet) => variant_ids,
      evolve: (one: WithValues, { variant_properties }: PropertiesSet) => ({
        properties_values: (one?.properties_values ?? []).filter(({ property_id }) =>
          variant_properties.some(({ id }) => id === property_id),
        ),
      }),
    },
  },
})

/**
 * Product with its variants. The aggregate ensures a default variant, and that no two variants are the same (spec 2.3).
 */
export const product = model('product', {
  attributes: {
    name: text({ required: true }),
    current_path: pathText({ about: 'Absent: made from the name' }),
    archived: managed(flag({ initial: false })),
    visible_in_store: flag({ nullable: true, initial: false }),
    visible_in_customer_center: flag({ nullable: true, initial: false }),
    seo_title: text({ nullable: true, max: 60 }),
    seo_description: text({ nullable: true, max: 160 }),
    seo_image_id: reference('image', { nullable: true, shown: idAsText }),
    commissionable: flag({ nullable: true, initial: false }),
    image_ids: list(reference('image'), { nullable: true, initial: [] }),
    default_variant_id: managed(reference('products/variant', { required: true })),
    variant_ids: managed(list(reference('products/variant'), { initial: [] })),
    tag_ids: list(reference('products/tag'), { initial: [], about: 'Replaces the tags' }),
    redirect_funnel_id: reference('funnel', { nullable: true, shown: idAsText }),
    cancellation_funnel_url: text({ nullable: true, max: 2000 }),
    variant_properties: requested(
      data<readonly Property[], { readonly initial: readonly [] }>(
        Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
        { initial: [] },
        Type.Array(sentProperty.sends ?? sentProperty.schema),
      ),
    ),
  },
  events: {
    ProductCreated: {
      creates: true,
      except: ['archived', 'variant_ids'],
      evolve: (_: unknown, { default_variant_id }: { readonly default_variant_id: number }) => ({
        variant_ids: [default_variant_id],
      }),
    },
    ProductChanged: { changes: 'rest' },
    ProductTagsSet: { sets: ['tag_ids'] },
    ProductPropertiesSet: {
      sets: ['variant_properties'],
      addsData: ({ variant_ids }) => ({ variant_ids }),
    },
    ProductArchived: { constants: { archived: true } },
    ProductUnarchived: { constants: { archived: false } },
    VariantAdded: {
      evolve: (
        held: { readonly variant_ids: readonly number[] } | undefined,
        { variant_id }: { readonly variant_id: number },
      ) => ({ variant_ids: [...(held?.variant_ids ?? []), variant_id] }),
    },
  },
  children: { variants: { model: variant, key: 'variant_id' } },
  unique: [{ attributes: ['current_path'], says: 'Current path has already been taken' }],
})
