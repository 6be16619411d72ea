import type { Actor, Aggregate, ClaimWanted, Command, Decision, Happened } from '../kernel/decider.ts'
import type { DomainEvent, Json, JsonObject } from '../kernel/event.ts'
import { type FieldTable, responseSchemas } from '../kernel/fields.ts'
import type { Index } from '../kernel/ports/read-models.ts'
import type { Publications } from '../kernel/publication.ts'
import { refuse } from '../kernel/refusal.ts'
import type { ListOperation, Operation, Owner, Resource, ShowOperation, View, WriteInput } from '../kernel/resource.ts'
import type { Category } from '../kernel/scopes.ts'
import { change, create, remove } from './operations.ts'
import { picker, propertiesOf } from './pick.ts'
import { recordSchema } from './schemas.ts'

/** A plain resource: five operations at most over one table of fields, each record in a stream of its own. */
export interface RecordSpec {
  readonly name: string
  readonly tag: string
  readonly root: string
  readonly category: Category
  readonly under: Owner
  readonly events: { readonly created: string; readonly changed: string; readonly removed?: string }
  readonly fields: FieldTable
  /** Values that must be unique, each within the workspace or within the record that a field names. */
  readonly claims?: readonly { readonly fields: readonly string[]; readonly within: string; readonly says: string }[]
  /** Replaces the view that shows every field. */
  readonly view?: View
  readonly publishes?: Publications
  readonly indexes?: readonly Index[]
  readonly operations: Readonly<Record<string, RecordOperation>>
}

/** What a record can be asked for; `create`, `change` and `remove` are completed from the field table. */
export type RecordOperation =
  | ListOperation
  | ShowOperation
  | { readonly write: 'create' | 'change' | 'remove'; readonly path: string }

/** Paths of a record's own writes. */
export const creates = (path: string): RecordOperation => ({ write: 'create', path })
export const changes = (path: string): RecordOperation => ({ write: 'change', path })
export const removes = (path: string): RecordOperation => ({ write: 'remove', path })

interface RecordState {
  readonly exists: boolean
  readonly workspaceId: number
  readonly values: JsonObject
}

type RecordCommand = Command & {
  readonly type: 'Create' | 'Change' | 'Remove'
  readonly values: JsonObject
}

const differs = (a: Json | undefined, b: Json | undefined): boolean =>
  JSON.stringify(a ?? null) !== JSON.stringify(b ?? null)

/** The part of `values` that differs from what is held. */
export const changedOnly = (held: JsonObject, values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([name, value]) => differs(held[name], value)))

const aggregateOf = (spec: RecordSpec): Aggregate<RecordState, RecordCommand> => {
  const { created, changed, removed } = spec.events
  const fieldTypes = [created, changed, ...(removed ? [removed] : [])]
  return {
    name: spec.name,
    initial: { exists: false, workspaceId: 0, values: {} },
    events: Object.fromEntries(fieldTypes.map((type) => [type, []])),
    decide(state, command): Decision {
      if (command.type === 'Create') return state.exists ? [] : [{ type: created, data: command.values }]
      if (!state.exists) return refuse.notFound()
      if (command.type === 'Remove') return removed ? [{ type: removed, data: {} }] : []
      const data = changedOnly(state.values, command.values)
      return Object.keys(data).length === 0 ? [] : [{ type: changed, data }]
    },
    evolve(state, event: Happened<DomainEvent>) {
      if (event.type === removed) return { ...state, exists: false, values: {} }
      const values = { ...state.values, ...event.data }
      return { exists: true, workspaceId: event.metadata.workspace_id ?? state.workspaceId, values }
    },
    claims: (state) => (state.exists ? claimsOf(spec, state) : []),
  }
}

const claimsOf = (spec: RecordSpec, { values, workspaceId }: RecordState): readonly ClaimWanted[] =>
  (spec.claims ?? []).flatMap(({ fields, within, says }) => {
    const parts = fields.map((name) => values[name] ?? null)
    if (parts.some((part) => part === null || part === '')) return []
    const owner = within === 'workspace' ? workspaceId : values[within]
    return [
      { scope: `${spec.name}.${fields.join('+')}:${owner}`, value: parts.join('\n'), field: fields[0] ?? '', says },
    ]
  })

/** The fixed part of every command made from a request. */
export const basics = <I extends Pick<WriteInput, 'at' | 'actor'>>(
  input: I,
): { readonly at: string; readonly actor: Actor } => ({
  at: input.at,
  actor: input.actor,
})

const operationsOf = (spec: RecordSpec): Readonly<Record<string, Operation>> => {
  const ownerField = (input: WriteInput): JsonObject =>
    spec.under.resource === 'workspace' || !input.owner ? {} : { [spec.under.field]: input.owner.id }
  const complete = (operation: RecordOperation): Operation => {
    if (!('write' in operation)) return operation
    const { path } = operation
    if (operation.write === 'create')
      return create(path, spec.root, spec.fields, {
        command: (input) => ({ type: 'Create', values: { ...input.fields, ...ownerField(input) }, ...basics(input) }),
      })
    if (operation.write === 'change')
      return change(path, spec.root, spec.fields, {
        command: (input) => ({ type: 'Change', values: input.fields, ...basics(input) }),
      })
    return remove(path, { command: (input) => ({ type: 'Remove', values: {}, ...basics(input) }) })
  }
  return Object.fromEntries(Object.entries(spec.operations).map(([id, operation]) => [id, complete(operation)]))
}

/** A resource from its declaration. Outgrowing it means writing out the parts of the value that it returns. */
export const record = (spec: RecordSpec): Resource => {
  const schema = spec.view?.schema ?? recordSchema(spec.under.field, responseSchemas(spec.fields))
  return {
    name: spec.name,
    tag: spec.tag,
    root: spec.root,
    category: spec.category,
    under: spec.under,
    aggregate: aggregateOf(spec),
    documents: {
      version: 1,
      indexes: spec.indexes ?? [],
      evolve: (document, event) => (event.type === spec.events.removed ? undefined : { ...document, ...event.data }),
    },
    view: spec.view ?? { schema, present: picker(propertiesOf(schema)) },
    operations: operationsOf(spec),
    ...(spec.publishes && { publishes: spec.publishes }),
  }
}
