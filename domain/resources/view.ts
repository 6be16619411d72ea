import { type TObject, type TSchema, Type } from 'typebox'
import { type Field, initialOf } from '../kernel/model/field.ts'
import { recordOf } from '../kernel/model/fold.ts'
import type { Model, RecordOf } from '../kernel/model/model.ts'
import { PERSONAL } from '../kernel/model/personal.ts'
import type { Document } from '../kernel/ports/read-models.ts'
import { compilePicker, type Picked } from '../kernel/values/compile-picker.ts'
import type { Json, JsonObject } from '../kernel/values/event.ts'
import type { MaybePromise } from '../kernel/values/maybe-promise.ts'
import { PERSONAL_DATA_CATEGORY } from '../kernel/values/scopes.ts'
import { picker } from './pick.ts'
import { REDACTED_DESCRIPTION, redact } from './redact.ts'
import type { Resource } from './resource.ts'
import { dateTime, nullable } from './schemas.ts'
import type { Loader, View } from './view-types.ts'

/** Display of a record inside another. */
export interface Shape {
  readonly schema: TSchema
  of(document: Document, load: Loader): MaybePromise<Json>
  /** Returns the substitute for a record that does not exist (any more); default `null`. */
  missing?(id: number): Json
}

/** Builds a shape that shows fields of the record unchanged. */
export const shape = (properties: Readonly<Record<string, TSchema>>): Shape => {
  const pick = picker(Object.keys(properties))
  return { schema: Type.Object(properties), of: pick }
}

const NO_EXPANSION: ReadonlySet<string> = new Set()

/** Builds a shape for records of persons: blank where personal data may not be shown. */
export const personalShape = ({
  schema,
  of,
}: Pick<Shape, 'schema'> & { of(document: Document, load: Loader): MaybePromise<JsonObject> }): Shape => ({
  schema: { ...schema, description: REDACTED_DESCRIPTION },
  async of(document, load) {
    const shown = await of(document, load)
    return load.seesPersonalData ? shown : redact(schema, shown)
  },
})

/** Builds a shape that shows a record as its own endpoint does, without some of its fields. */
export const embeddedShape = (
  { view, category }: Pick<Resource, 'view' | 'category'>,
  ...without: readonly string[]
): Shape => {
  const omitted = new Set(without)
  const shape = {
    schema: Type.Omit(view.schema as TObject, [...without]),
    async of(document: Document, load: Loader) {
      const shown = await view.present(document, load, NO_EXPANSION)
      // A copy costs as much as all the rest, so it is made only where fields are left out.
      return omitted.size === 0
        ? shown
        : Object.fromEntries(Object.entries(shown).filter(([name]) => !omitted.has(name)))
    },
  }
  return category === PERSONAL_DATA_CATEGORY ? personalShape(shape) : shape
}

/** Id, public id and name. The texts are empty for a record that was removed at the moment at which another referred to it. */
export const named: Shape = {
  ...shape({ id: Type.Integer(), public_id: Type.String(), name: Type.String() }),
  missing: (id) => ({ id, public_id: '', name: '' }),
}

/** Shape that is only the public id. */
export const publicId: Shape = { schema: Type.String(), of: ({ public_id }) => String(public_id) }

/** A field of a response besides the record's own attributes. */
export type ViewPart<M extends Model = Model> = { readonly optional?: boolean; readonly expand?: boolean } & (
  | { readonly one: keyof M['attributes'] & string; readonly shows: Shape }
  | { readonly many: keyof M['attributes'] & string; readonly shows: Shape; readonly orNull?: boolean }
  | { readonly children: keyof M['children'] & string; readonly shows: Shape; readonly orNull?: boolean }
  | {
      readonly schema: TSchema
      of(record: RecordOf<M>, load: Loader, expand: ReadonlySet<string>): MaybePromise<Json | undefined>
    }
)

/** Fields of a response besides the record's own attributes, by name; `never` removes a field that most responses have. */
export type ViewParts<M extends Model = Model> = Readonly<Record<string, ViewPart<M> | 'never'>>

type PresentPart = (record: Document, load: Loader, expand: ReadonlySet<string>) => MaybePromise<Json | undefined>

const schemaOf = ({ attributes }: Model, part: ViewPart): TSchema => {
  if ('schema' in part) return part.schema
  if ('one' in part) return attributes[part.one]?.required ? part.shows.schema : nullable(part.shows.schema)
  const items = Type.Array(part.shows.schema)
  return part.orNull ? nullable(items) : items
}

/** Highest number of records shown inside another. The others are found in a list of their own. */
const EMBEDDED = 1000

/** Returns the records that are shown inside another. If some are left out, the answer says so. */
export const embedded = <T>(part: string, all: readonly T[], load: Loader): readonly T[] => {
  if (all.length <= EMBEDDED) return all
  load.cut(part)
  return all.slice(0, EMBEDDED)
}

/** Returns the records of another resource that are shown inside the record that they name. */
export const embeddedWhere = async (
  part: string,
  [resource, field]: readonly [resource: string, field: string],
  id: number,
  load: Loader,
): Promise<readonly Document[]> => embedded(part, await load.where(resource, field, id, EMBEDDED + 1), load)

const presentAll = async (documents: readonly Document[], shows: Shape, load: Loader): Promise<Json[]> =>
  Promise.all(documents.map((document) => shows.of(document, load)))

const presentPartOf = (model: Model, name: string, part: ViewPart): PresentPart => {
  if ('schema' in part) return part.of as unknown as PresentPart
  if ('one' in part) {
    const { one, shows } = part
    const resource = model.attributes[one]?.refersTo ?? one
    return async (record, load) => {
      const id = record[one]
      const found = typeof id === 'number' ? await load.one(resource, id) : undefined
      if (found) return shows.of(found, load)
      return typeof id === 'number' ? (shows.missing?.(id) ?? null) : null
    }
  }
  if ('many' in part) {
    const { many, shows } = part
    const resource = model.attributes[many]?.refersTo ?? many
    return async (record, load) =>
      presentAll(
        await load.many(resource, embedded(name, (record[many] ?? []) as readonly number[], load)),
        shows,
        load,
      )
  }
  const { name: child, owner = '' } = model.children[part.children]!.model
  return async (record, load) =>
    presentAll(await embeddedWhere(name, [child, owner], Number(record.id), load), part.shows, load)
}

const header = { id: Type.Integer(), public_id: Type.String() }
const times = { created_at: dateTime, updated_at: dateTime }

/** Whether a record may hold `null` although the field's own schema does not allow it. */
const mayBeNull = ({ required, nullable: acceptsNull, default: initial }: Field): boolean =>
  !required && !acceptsNull && (initial === undefined || initial === null)

/** Returns the attributes of a model that every response has, and those that only `expand[]` adds. */
const attributesShown = (model: Model) => {
  const shown: Record<string, TSchema> = {}
  const expanded: Record<string, TSchema> = {}
  const altered: [name: string, of: (value: Json) => Json][] = []
  for (const [name, field] of Object.entries(model.attributes)) {
    const { shown: display } = field
    const schema = mayBeNull(field) ? nullable(field.schema) : field.schema
    if (display === 'never') continue
    if (display === 'expanded') expanded[name] = schema
    else if (display === undefined) shown[name] = schema
    else {
      shown[name] = display.schema
      if (display.of) altered.push([name, display.of])
    }
  }
  return { shown, expanded, altered }
}

/** Returns where an attribute of a model is found in a document. */
const pickedOf =
  ({ attributes }: Model) =>
  (name: string): Picked => {
    const field = attributes[name]
    return { name, missing: initialOf(field), ...(field?.personal && { within: PERSONAL }) }
  }

/** Builds the view of a model: record header, owner, attributes as their table says, and the additional parts. */
export const viewOf = <M extends Model>(
  model: M,
  owner: string,
  parts: ViewParts<M> = {},
  inside?: View['expands'],
): View => {
  const { shown, expanded, altered } = attributesShown(model)
  const properties = { ...header, ...(owner !== 'id' && { [owner]: Type.Integer() }), ...shown, ...times }
  const entries = Object.entries(parts as ViewParts).flatMap(([name, part]) =>
    part === 'never' ? [] : [{ name, part, show: presentPartOf(model, name, part) }],
  )
  const always = entries.filter(({ part }) => !part.expand)
  const onRequest = entries.filter(({ part }) => part.expand)
  for (const [name, part] of Object.entries(parts as ViewParts))
    if (part === 'never' || !part.expand) delete (properties as Record<string, TSchema>)[name]
  const open = recordOf(model)
  const required = always.filter(({ part }) => !part.optional)
  // Parts have their keys from the start: an object that grows is slow to build and to serialize.
  const pick = compilePicker([
    ...Object.keys(properties).map(pickedOf(model)),
    ...required.map(({ name }): Picked => ({ name, later: true })),
  ])
  const pickExpanded = compilePicker(Object.keys(expanded).map(pickedOf(model)))
  const isPersonal = Object.values(model.attributes).some(({ personal }) => personal)
  const attributesIn = (record: JsonObject, expand: ReadonlySet<string>): Record<string, Json | undefined> => {
    const body = pick(record)
    for (const [name, of] of altered) body[name] = of(body[name] ?? null)
    if (expand.size > 0)
      for (const [name, value] of Object.entries(pickExpanded(record))) if (expand.has(name)) body[name] = value
    return body
  }
  const expands = {
    ...expanded,
    ...Object.fromEntries(onRequest.map(({ name, part }) => [name, schemaOf(model, part)])),
    ...inside,
  }
  return {
    schema: Type.Object({
      ...properties,
      ...Object.fromEntries(
        always.map(({ name, part }) => [
          name,
          part.optional ? Type.Optional(schemaOf(model, part)) : schemaOf(model, part),
        ]),
      ),
    }),
    ...(Object.keys(expands).length > 0 && { expands }),
    present(stored, load, expand) {
      const document = isPersonal && !load.seesPersonalData ? { ...stored, [PERSONAL]: null } : stored
      const body = attributesIn(document, expand)
      const visible = expand.size === 0 ? always : [...always, ...onRequest.filter(({ name }) => expand.has(name))]
      if (visible.length === 0) return body
      const record = open(document) as unknown as Document
      const put = (name: string, value: Json | undefined) => {
        if (value === undefined) delete body[name]
        else body[name] = value
      }
      const pending: Promise<void>[] = []
      for (const { name, show } of visible) {
        const value = show(record, load, expand)
        if (value instanceof Promise) pending.push(value.then((settled) => put(name, settled)))
        else put(name, value)
      }
      return pending.length === 0 ? body : Promise.all(pending).then(() => body)
    },
  }
}
