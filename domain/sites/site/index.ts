import { Type } from 'typebox'
import type { JsonObject } from '../../kernel/event.ts'
import type { FieldTable } from '../../kernel/field.ts'
import { text } from '../../kernel/fields.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import type { Loader, Resource, View, WriteInput } from '../../kernel/resource.ts'
import { codeFields } from '../../kinds/code.ts'
import { basics } from '../../kinds/former.ts'
import { change, show, workspace } from '../../kinds/operations.ts'
import { picker } from '../../kinds/pick.ts'
import { dateTime, nullableString } from '../../kinds/schemas.ts'
import { type SiteCommand, siteAggregate } from './aggregate.ts'

const code = codeFields('head_code', 'footer_code')
const fields: FieldTable = {
  name: text({ required: true }),
  homepage_id: text({ nullable: true, about: 'Public id of the page at /; empty for none' }),
  ...code,
}

const core = { id: Type.Integer(), public_id: Type.String(), workspace_id: Type.Integer(), name: Type.String() }
const parts = { head_code: nullableString, footer_code: nullableString }
const pickCore = picker(Object.keys(core))

const publicId = async (load: Loader, resource: string, id: unknown): Promise<string | null> => {
  const document = typeof id === 'number' ? await load.one(resource, id) : undefined
  return document ? String(document.public_id) : null
}

const present = async (document: Document, load: Loader, expand: ReadonlySet<string>): Promise<JsonObject> => {
  const [homepage, theme] = await Promise.all([
    publicId(load, 'page', document.homepage_id),
    publicId(load, 'theme', document.theme_id),
  ])
  const asked = Object.keys(parts).filter((name) => expand.has(name))
  return {
    ...pickCore(document),
    created_at: document.created_at,
    updated_at: document.updated_at,
    homepage_id: homepage,
    theme_id: theme,
    blog_theme_id: theme,
    store_theme_id: theme,
    ...Object.fromEntries(asked.map((name) => [name, document[name] ?? null])),
    ...(expand.has('markup') && { markup: '' }),
  }
}

const view: View = {
  schema: Type.Object({
    ...core,
    created_at: dateTime,
    updated_at: dateTime,
    homepage_id: nullableString,
    theme_id: nullableString,
    blog_theme_id: nullableString,
    store_theme_id: nullableString,
  }),
  /** The contract lets clients ask for the markup of a site, which has none of its own. */
  expands: { ...parts, markup: Type.String() },
  present,
}

const changeSite = (input: WriteInput): SiteCommand | Refusal => {
  const { name, homepage_id: homepage } = input.fields
  const cleared = homepage === null || homepage === ''
  return {
    type: 'ChangeSite',
    workspaceId: input.id,
    ...(typeof name === 'string' && { name }),
    ...(homepage !== undefined && { homepageId: cleared ? null : (input.parseId(homepage, 'page') ?? 0) }),
    code: Object.fromEntries(Object.keys(code).map((field) => [field, input.fields[field]])),
    ...basics(input),
  }
}

const SITE = '/workspaces/{workspace_id}/site'

/** Site: the code that all pages of a workspace carry, its homepage and its themes. One theme serves site, blog and store. */
export const site: Resource = {
  name: 'site',
  tag: 'Site',
  root: 'site',
  category: 'sites',
  under: workspace,
  aggregate: siteAggregate,
  documents: {
    version: 1,
    evolve: (document, event) => ({
      head_code: null,
      footer_code: null,
      homepage_id: null,
      theme_id: null,
      ...document,
      ...event.data,
    }),
  },
  view,
  operations: { getSite: show(SITE), updateSite: change(SITE, 'site', fields, { command: changeSite }) },
}
