import type { Child, EventSpec, Model } from '../kernel/model/model.ts'
import type { Json, JsonObject } from '../kernel/values/event.ts'

/** Stored names of properties of events. Fingerprints contain them, so other names would rebuild every collection. */
const STORED_NAMES: Readonly<Record<string, string>> = {
  creates: 'born',
  ends: 'gone',
  constants: 'to',
  erasesPerson: 'forgets',
}

/** Data of one event. Functions cannot be compared: only their presence is included, and the model's version says when their result has changed. */
const eventOf = ({ of, evolve, addsData: _, endsOnly: __, versions, ...data }: EventSpec): JsonObject => ({
  ...Object.fromEntries(Object.entries(data as JsonObject).map(([name, value]) => [STORED_NAMES[name] ?? name, value])),
  of: of !== undefined,
  folds: evolve !== undefined,
  versions: versions?.length ?? 0,
})

const eventsOf = ({ events }: Model): JsonObject =>
  Object.fromEntries(Object.entries<EventSpec>(events).map(([type, spec]) => [type, eventOf(spec)]))

const endsOf = ({ events }: Model): readonly string[] =>
  Object.entries<EventSpec>(events).flatMap(([type, { ends }]) => (ends ? type : []))

/** Returns the data of a model from which its documents follow. Attributes are left out: a new one shows its default on old documents. */
export const declarationData = (model: Model, within?: { readonly parent: Model; readonly child: Child }): Json => ({
  events: eventsOf(model),
  owner: model.owner ?? null,
  child: within ? [within.child.key, within.child.keys ?? null, ...endsOf(within.parent)] : null,
  digests: Object.entries(model.blindIndexes).map(([name, { attribute, purpose, letters }]) => [
    name,
    attribute,
    purpose,
    ...(letters === undefined ? [] : [letters]),
  ]),
  traces: model.clearFlags !== undefined,
  derives: model.derives?.version ?? 0,
  // Only where there are any, so that fingerprints of models without timers stay the same.
  ...(model.timers.length > 0 && { timers: model.timers.map(({ name, version = 1 }) => [name, version]) }),
})
