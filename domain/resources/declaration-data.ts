import type { Child, EventSpec, Model } from '../kernel/model/model.ts'
import type { Json, JsonObject } from '../kernel/values/event.ts'

/** Spelling of the parts of an event under which documents are known: another one would build every one of them anew. */
const SPELLING: Readonly<Record<string, string>> = {
  creates: 'born',
  ends: 'gone',
  constants: 'to',
  erasesPerson: 'forgets',
}

/** What a function does cannot be seen: that its result has changed is said by the version of the model. */
const eventOf = ({ of, evolve, addsData: _, versions, ...data }: EventSpec): JsonObject => ({
  ...Object.fromEntries(Object.entries(data as JsonObject).map(([part, value]) => [SPELLING[part] ?? part, value])),
  of: of !== undefined,
  folds: evolve !== undefined,
  versions: versions?.length ?? 0,
})

const eventsOf = ({ events }: Model): JsonObject =>
  Object.fromEntries(Object.entries<EventSpec>(events).map(([type, spec]) => [type, eventOf(spec)]))

const endsOf = ({ events }: Model): readonly string[] =>
  Object.entries<EventSpec>(events).flatMap(([type, { ends }]) => (ends ? type : []))

/** The data of a model that its documents follow from. Attributes are not among it: one that is added shows its default on old documents. */
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
  // Only where there are any, so that what has none stays as it is known.
  ...(model.timers.length > 0 && { timers: model.timers.map(({ name, version = 1 }) => [name, version]) }),
})
