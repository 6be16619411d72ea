import { choice, flag, reference, text } from '../kernel/model/fields.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { pathFrom } from '../resources/attributes/made-path.ts'
import { pathText } from '../resources/attributes/path.ts'
import { rooted } from '../resources/attributes/slug.ts'
import { crud } from '../resources/crud.ts'
import { workspace } from '../resources/operations.ts'
import { record } from '../resources/record.ts'
import { idAsText } from '../resources/schemas.ts'

const STORES = '/workspaces/{workspace_id}/stores'

/** Puts one slash in front of a path that is sent; an empty path counts as absent. */
const tidy = ({ current_path, ...fields }: JsonObject): JsonObject =>
  typeof current_path === 'string' && current_path.trim() !== ''
    ? { ...fields, current_path: rooted(current_path) }
    : fields

/** Store: a storefront of a workspace. */
export const storefront = record({
  name: 'store',
  title: 'Store',
  root: 'store',
  category: 'store',
  under: workspace,
  attributes: {
    name: text({ required: true }),
    current_path: pathText({ about: 'Absent: made from the name' }),
    seo_title: text({ nullable: true }),
    seo_description: text({ nullable: true, max: 1000 }),
    seo_indexable: flag({ nullable: true, initial: true }),
    social_image_id: reference('image', { nullable: true, shown: idAsText }),
    status: choice(['draft', 'published'], {
      nullable: true,
      initial: 'draft',
      consequence: { says: 'shows or hides a store' },
    }),
  },
  events: {
    StoreOpened: { creates: true },
    StoreChanged: { changes: 'rest' },
    StoreClosed: { ends: true },
  },
  unique: [{ attributes: ['current_path'], says: 'Current path has already been taken' }],
  indexes: [{ fields: ['workspace_id', 'current_path'] }],
  reads: ['image'],
  operations: crud('Stores', STORES, '/stores/{id}', {
    create: { wanted: ({ fields }) => tidy(fields), makes: { current_path: pathFrom('store', 'store') } },
    change: { wanted: ({ fields }) => tidy(fields) },
  }),
})
