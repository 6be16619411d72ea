import { type ActContext, type DecisionContext, rules } from '../kernel/decide/rules.ts'
import { eventNamed } from '../kernel/model/event-types.ts'
import type { Field } from '../kernel/model/field.ts'
import { reference } from '../kernel/model/fields.ts'
import { type DeclaredModel, type Model, model } from '../kernel/model/model.ts'
import { refuse } from '../kernel/values/refusal.ts'

interface LinkSpec<
  Stream extends string,
  Owner extends string,
  Target extends string,
  Applied extends string,
  Removed extends string,
> {
  /** Model whose streams hold the links, and the field of a link with the id of that model's record. */
  readonly stream: Stream
  readonly owner: Owner
  /** Attribute with the id of the linked record, and the resource of that record. */
  readonly target: Target
  readonly refersTo: string
  /** Attribute of the stream's model with the ids of all linked records, by which the links to a record are found. */
  readonly listed: string
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
> = DeclaredModel<
  Name,
  { readonly [target in Target]: Field<number> },
  { readonly [type in Applied]: { readonly creates: true } } & { readonly [type in Removed]: { readonly ends: true } },
  Stream,
  Owner,
  Record<never, never>,
  never
> & { readonly link: { readonly target: Target; readonly removed: Removed } }

/**
 * Builds the model of a link, such as an applied tag or a like: a child that names another record. It is put on its parent and taken off, never changed.
 *
 * @param name name of its collection: `orders/applied_tag`
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
  { stream, owner, target, refersTo, listed, applied, removed }: LinkSpec<Stream, Owner, Target, Applied, Removed>,
): LinkModel<Name, Stream, Owner, Target, Applied, Removed> => {
  const built: Model = model(name, {
    stream,
    owner,
    attributes: { [target]: reference(refersTo, { required: true }) },
    references: { [target]: { to: refersTo, setBy: [applied], onTargetEnd: 'unlink', heldIn: listed } },
    events: { [applied]: { creates: true }, [removed]: { ends: true } },
  })
  // The attribute and the events have the given names.
  return { ...built, link: { target, removed } } as LinkModel<Name, Stream, Owner, Target, Applied, Removed>
}

interface AnyLink extends Model {
  readonly link: { readonly target: string; readonly removed: string }
}

/**
 * Builds the rules of a link: each record is linked once.
 *
 * @param key property of the events' data with the id of the link, the same as in the `children` of its parent
 * @param taken message to a client that links a record a second time
 */
export const linkRules = <L extends AnyLink>(
  of: L,
  { key, taken }: { readonly key: string; readonly taken: string },
) => {
  const { target, removed } = of.link
  const linkedId = (record: object) => (record as Readonly<Record<string, number>>)[target]
  return rules(of, {
    save: [
      ({ after, records }: DecisionContext<L>) =>
        records.all(of).some((link) => linkedId(link) === linkedId(after))
          ? refuse.invalid(taken, target, 'taken')
          : undefined,
    ],
    remove: ({ id, before }: ActContext<L>) => [
      eventNamed(of, removed, { [key]: id, [target]: linkedId(before) ?? null }),
    ],
  })
}
