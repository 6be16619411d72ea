import type { Child, EventSpec, Model } from '../kernel/model/model.ts'
import type { Json, JsonObject } from '../kernel/values/event.ts'

/** What a function does cannot be seen: that it came out differently is said by the version of the model. */
const eventOf = ({ of, folds, tells: _, versions, ...data }: EventSpec): JsonObject => ({
  ...(data as JsonObject),
  of: of !== undefined,
  folds: folds !== undefined,
  versions: versions?.length ?? 0,
})

const eventsOf = ({ events }: Model): JsonObject =>
  Object.fromEntries(Object.entries<EventSpec>(events).map(([type, spec]) => [type, eventOf(spec)]))

const endsOf = ({ events }: Model): readonly string[] =>
  Object.entries<EventSpec>(events).flatMap(([type, { gone }]) => (gone ? type : []))

/** The data of a model that its documents follow from. Attributes are not among it: one that is added shows its default on old documents. */
export const declaredOf = (model: Model, within?: { readonly parent: Model; readonly child: Child }): Json => ({
  events: eventsOf(model),
  owner: model.owner ?? null,
  child: within ? [within.child.key, within.child.keys ?? null, ...endsOf(within.parent)] : null,
  digests: Object.entries(model.digests).map(([name, { attribute, purpose, letters }]) => [
    name,
    attribute,
    purpose,
    ...(letters === undefined ? [] : [letters]),
  ]),
  traces: model.traces !== undefined,
  derives: model.derives?.version ?? 0,
  // Only where there are any, so that what has none stays as it is known.
  ...(model.timers.length > 0 && { timers: model.timers.map(({ name, version = 1 }) => [name, version]) }),
})
