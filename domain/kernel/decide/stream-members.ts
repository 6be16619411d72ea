import { type Model, roleOf } from '../model/model.ts'
import type { AnyRules, RecordCommand, Rules } from './rules.ts'
import { memberOf, type StreamMember } from './stream-state.ts'

/** The root and the children of a stream. */
export interface StreamMembers {
  readonly root: StreamMember
  readonly all: readonly StreamMember[]
  /** @throws {Error} for children that the root has not */
  of(command: RecordCommand): StreamMember
}

/** Rules of children by their place in the model. @throws {Error} for rules of what is no child of it, or that are there twice */
const byRole = (model: Model, children: readonly Rules[]): Readonly<Record<string, AnyRules>> => {
  const own: Record<string, AnyRules> = {}
  for (const one of children) {
    const role = roleOf(model, one.of)
    if (role === undefined || own[role])
      throw new Error(`${model.name} has rules of ${one.of.name} that it cannot have`)
    own[role] = one
  }
  return own
}

/** The root and the children of a model's streams, each with its rules. @throws {Error} for rules that no member has */
export const membersOf = (model: Model, rules: AnyRules = {}, of: readonly Rules[] = []): StreamMembers => {
  const root = memberOf(model, undefined, rules)
  const children = byRole(model, of)
  const below = new Map(Object.keys(model.children).map((role) => [role, memberOf(model, role, children[role] ?? {})]))
  return {
    root,
    all: [root, ...below.values()],
    of({ child }) {
      const place = child === undefined ? root : below.get(child)
      if (!place) throw new Error(`${model.name} has no ${child}`)
      return place
    },
  }
}
