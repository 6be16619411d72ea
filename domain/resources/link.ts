import { type ActContext, type DecisionContext, rules } from '../kernel/decide/rules.ts'
import { eventNamed } from '../kernel/model/event-types.ts'
import type { Field } from '../kernel/model/field.ts'
import { reference } from '../kernel/model/fields.ts'
import { type Declared, type Model, model } from '../kernel/model/model.ts'
import { refuse } from '../kernel/values/refusal.ts'

interface LinkSpec<
  Stream extends string,
  Owner extends string,
  Target extends string,
  Applied extends string,
  Removed extends string,
> {
  /** The model in whose streams the links live, and their field with the id of its record. */
  readonly stream: Stream
  readonly owner: Owner
  /** The attribute with the id of the linked record, and the kind of that record. */
  readonly target: Target
  readonly refersTo: string
  /** Types of the events with which a link begins and ends. */
  readonly applied: Applied
  readonly removed: Removed
}

type LinkModel<
  Name extends string,
  Stream extends string,
  Owner extends string,
  Target extends string,
  Applied extends string,
  Removed extends string,
> = Declared<
  Name,
  { readonly [target in Target]: Field<number> },
  { readonly [type in Applied]: { readonly creates: true } } & { readonly [type in Removed]: { readonly ends: true } },
  Stream,
  Owner,
  Record<never, never>,
  never
> & { readonly link: { readonly target: Target; readonly removed: Removed } }

/**
 * Model of a link: a child that is put on its parent and taken off, never changed, and names another record, such as an applied tag or a like.
 *
 * @param name of its collection: `orders/applied_tag`
 */
export const linkModel = <
  const Name extends string,
  const Stream extends string,
  const Owner extends string,
  const Target extends string,
  const Applied extends string,
  const Removed extends string,
>(
  name: Name,
  { stream, owner, target, refersTo, applied, removed }: LinkSpec<Stream, Owner, Target, Applied, Removed>,
): LinkModel<Name, Stream, Owner, Target, Applied, Removed> => {
  const own: Model = model(name, {
    stream,
    owner,
    attributes: { [target]: reference(refersTo, { required: true }) },
    events: { [applied]: { creates: true }, [removed]: { ends: true } },
  })
  // Its attribute and its events are by the names that were given.
  return { ...own, link: { target, removed } } as LinkModel<Name, Stream, Owner, Target, Applied, Removed>
}

interface AnyLink extends Model {
  readonly link: { readonly target: string; readonly removed: string }
}

/**
 * Rules of a link: each record is linked once.
 *
 * @param key names the link in the data of its events, as the children of its parent say
 * @param taken what a client is told that links a record again
 */
export const linkRules = <L extends AnyLink>(
  of: L,
  { key, taken }: { readonly key: string; readonly taken: string },
) => {
  const { target, removed } = of.link
  const linked = (record: object) => (record as Readonly<Record<string, number>>)[target]
  return rules(of, {
    save: [
      ({ after, records }: DecisionContext<L>) =>
        records.all(of).some((one) => linked(one) === linked(after))
          ? refuse.invalid(taken, target, 'taken')
          : undefined,
    ],
    remove: ({ id, before }: ActContext<L>) => [
      eventNamed(of, removed, { [key]: id, [target]: linked(before) ?? null }),
    ],
  })
}
