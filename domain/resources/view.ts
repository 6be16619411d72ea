import { type TObject, type TSchema, Type } from 'typebox'
import { type Field, initialOf } from '../kernel/model/field.ts'
import { recordOf } from '../kernel/model/fold.ts'
import type { Model, RecordOf } from '../kernel/model/model.ts'
import { PERSONAL } from '../kernel/model/personal.ts'
import type { Document } from '../kernel/ports/read-models.ts'
import { compilePicker, type Picked } from '../kernel/values/compile-picker.ts'
import type { Json, JsonObject } from '../kernel/values/event.ts'
import type { MaybePromise } from '../kernel/values/maybe-promise.ts'
import { PERSONS } from '../kernel/values/scopes.ts'
import { picker } from './pick.ts'
import { redact, WITHOUT_PERSONS } from './redact.ts'
import type { Resource } from './resource.ts'
import { dateTime, nullable } from './schemas.ts'
import type { Loader, View } from './view-types.ts'

/** A record as it is shown inside another. */
export interface Shape {
  readonly schema: TSchema
  of(document: Document, load: Loader): MaybePromise<Json>
  /** What is shown in place of a record that is not there (any more); default `null`. */
  missing?(id: number): Json
}

/** The fields of a shape, taken from the record as they are. */
export const shape = (properties: Readonly<Record<string, TSchema>>): Shape => {
  const pick = picker(Object.keys(properties))
  return { schema: Type.Object(properties), of: pick }
}

const NOTHING: ReadonlySet<string> = new Set()

/** A shape of persons: blank where personal data may not be shown. */
export const ofPersons = ({
  schema,
  of,
}: Pick<Shape, 'schema'> & { of(document: Document, load: Loader): MaybePromise<JsonObject> }): Shape => ({
  schema: { ...schema, description: WITHOUT_PERSONS },
  async of(document, load) {
    const shown = await of(document, load)
    return load.seesPersonalData ? shown : redact(schema, shown)
  },
})

/** A record as its own endpoint shows it, without some of its fields. */
export const inside = (
  { view, category }: Pick<Resource, 'view' | 'category'>,
  ...without: readonly string[]
): Shape => {
  const left = new Set(without)
  const shape = {
    schema: Type.Omit(view.schema as TObject, [...without]),
    async of(document: Document, load: Loader) {
      const shown = await view.present(document, load, NOTHING)
      // To copy it costs as much as all else that is done for it.
      return left.size === 0 ? shown : Object.fromEntries(Object.entries(shown).filter(([name]) => !left.has(name)))
    },
  }
  return category === PERSONS ? ofPersons(shape) : shape
}

/** Id, public id and name; empty for what was removed at the very moment at which it was referred to. */
export const named: Shape = {
  ...shape({ id: Type.Integer(), public_id: Type.String(), name: Type.String() }),
  missing: (id) => ({ id, public_id: '', name: '' }),
}

/** The public id alone. */
export const publicId: Shape = { schema: Type.String(), of: ({ public_id }) => String(public_id) }

/** Something that a response has besides the record's own attributes. */
export type ViewPart<M extends Model = Model> = { readonly optional?: boolean; readonly expand?: boolean } & (
  | { readonly one: keyof M['attributes'] & string; readonly shows: Shape }
  | { readonly many: keyof M['attributes'] & string; readonly shows: Shape; readonly orNull?: boolean }
  | { readonly children: keyof M['children'] & string; readonly shows: Shape; readonly orNull?: boolean }
  | {
      readonly schema: TSchema
      of(record: RecordOf<M>, load: Loader, expand: ReadonlySet<string>): MaybePromise<Json | undefined>
    }
)

/** What a response has besides the record's own attributes, by name; `never`: what most responses have and this one has not. */
export type ViewParts<M extends Model = Model> = Readonly<Record<string, ViewPart<M> | 'never'>>

type Show = (record: Document, load: Loader, expand: ReadonlySet<string>) => MaybePromise<Json | undefined>

const schemaOf = ({ attributes }: Model, part: ViewPart): TSchema => {
  if ('schema' in part) return part.schema
  if ('one' in part) return attributes[part.one]?.required ? part.shows.schema : nullable(part.shows.schema)
  const items = Type.Array(part.shows.schema)
  return part.orNull ? nullable(items) : items
}

/** So many records are shown inside another; the rest is found in a list of its own. */
const EMBEDDED = 1000

/** Those of many that are shown inside a record; what is left out is said with the answer. */
export const embedded = <T>(part: string, all: readonly T[], load: Loader): readonly T[] => {
  if (all.length <= EMBEDDED) return all
  load.cut(part)
  return all.slice(0, EMBEDDED)
}

/** The records of another resource that are shown inside the one that they name. */
export const embeddedWhere = async (
  part: string,
  [resource, field]: readonly [resource: string, field: string],
  id: number,
  load: Loader,
): Promise<readonly Document[]> => embedded(part, await load.where(resource, field, id, EMBEDDED + 1), load)

const presentAll = async (documents: readonly Document[], shows: Shape, load: Loader): Promise<Json[]> =>
  Promise.all(documents.map((document) => shows.of(document, load)))

const showOf = (model: Model, name: string, part: ViewPart): Show => {
  if ('schema' in part) return part.of as unknown as Show
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

const frame = { id: Type.Integer(), public_id: Type.String() }
const times = { created_at: dateTime, updated_at: dateTime }

/** Whether a record may hold `null`, where the field's own schema does not say so. */
const mayBeNull = ({ required, nullable: sent, default: begins }: Field): boolean =>
  !required && !sent && (begins === undefined || begins === null)

/** The attributes of a model that every response has, and those that are there when they are asked for. */
const attributesShown = (model: Model) => {
  const shown: Record<string, TSchema> = {}
  const expanded: Record<string, TSchema> = {}
  const altered: [name: string, of: (value: Json) => Json][] = []
  for (const [name, field] of Object.entries(model.attributes)) {
    const { shown: how } = field
    const schema = mayBeNull(field) ? nullable(field.schema) : field.schema
    if (how === 'never') continue
    if (how === 'expanded') expanded[name] = schema
    else if (how === undefined) shown[name] = schema
    else {
      shown[name] = how.schema
      if (how.of) altered.push([name, how.of])
    }
  }
  return { shown, expanded, altered }
}

/** Where an attribute of a model is found in a document. */
const pickedOf =
  ({ attributes }: Model) =>
  (name: string): Picked => {
    const field = attributes[name]
    return { name, missing: initialOf(field), ...(field?.personal && { within: PERSONAL }) }
  }

/** How records of a model become responses: frame, owner, attributes as their table says, and the parts besides. */
export const viewOf = <M extends Model>(
  model: M,
  owner: string,
  parts: ViewParts<M> = {},
  inside?: View['expands'],
): View => {
  const { shown, expanded, altered } = attributesShown(model)
  const taken = { ...frame, ...(owner !== 'id' && { [owner]: Type.Integer() }), ...shown, ...times }
  const entries = Object.entries(parts as ViewParts).flatMap(([name, part]) =>
    part === 'never' ? [] : [{ name, part, show: showOf(model, name, part) }],
  )
  const always = entries.filter(({ part }) => !part.expand)
  const asked = entries.filter(({ part }) => part.expand)
  for (const [name, part] of Object.entries(parts as ViewParts))
    if (part === 'never' || !part.expand) delete (taken as Record<string, TSchema>)[name]
  const open = recordOf(model)
  const required = always.filter(({ part }) => !part.optional)
  // What parts show has its place from the start: an object that grows is slow to make and to spell out.
  const pick = compilePicker([
    ...Object.keys(taken).map(pickedOf(model)),
    ...required.map(({ name }): Picked => ({ name, later: true })),
  ])
  const pickExpanded = compilePicker(Object.keys(expanded).map(pickedOf(model)))
  const isPersonal = Object.values(model.attributes).some(({ personal }) => personal)
  const own = (record: JsonObject, expand: ReadonlySet<string>): Record<string, Json | undefined> => {
    const body = pick(record)
    for (const [name, of] of altered) body[name] = of(body[name] ?? null)
    if (expand.size > 0)
      for (const [name, value] of Object.entries(pickExpanded(record))) if (expand.has(name)) body[name] = value
    return body
  }
  const expands = {
    ...expanded,
    ...Object.fromEntries(asked.map(({ name, part }) => [name, schemaOf(model, part)])),
    ...inside,
  }
  return {
    schema: Type.Object({
      ...taken,
      ...Object.fromEntries(
        always.map(({ name, part }) => [
          name,
          part.optional ? Type.Optional(schemaOf(model, part)) : schemaOf(model, part),
        ]),
      ),
    }),
    ...(Object.keys(expands).length > 0 && { expands }),
    present(whole, load, expand) {
      const document = isPersonal && !load.seesPersonalData ? { ...whole, [PERSONAL]: null } : whole
      const body = own(document, expand)
      const wanted = expand.size === 0 ? always : [...always, ...asked.filter(({ name }) => expand.has(name))]
      if (wanted.length === 0) return body
      const record = open(document) as unknown as Document
      const put = (name: string, value: Json | undefined) => {
        if (value === undefined) delete body[name]
        else body[name] = value
      }
      const later: Promise<void>[] = []
      for (const { name, show } of wanted) {
        const value = show(record, load, expand)
        if (value instanceof Promise) later.push(value.then((one) => put(name, one)))
        else put(name, value)
      }
      return later.length === 0 ? body : Promise.all(later).then(() => body)
    },
  }
}
