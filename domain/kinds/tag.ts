import { text } from '../kernel/fields.ts'
import { workspace } from './operations.ts'

/** Colour of a tag that was made without one; the contract does not say, and every response has one. */
const DEFAULT_COLOR = '#94a3b8'

/** What every tag is: a name that is unique among its kind in the workspace, and a colour. */
export const tag = {
  under: workspace,
  attributes: { name: text({ required: true }), color: text({ default: DEFAULT_COLOR, nullable: false }) },
  unique: [{ attributes: ['name'], says: 'Name has already been taken' }],
} as const
