import { type Model, roleOf } from '../model/model.ts'
import type { AnyRules, RecordCommand, Rules } from './rules.ts'
import { memberOf, type StreamMember } from './stream-state.ts'

/** The root and the children of a stream. */
export interface StreamMembers {
  readonly root: StreamMember
  readonly all: readonly StreamMember[]
  /** Returns the member that a command is for. @throws {Error} for children that the root does not have */
  of(command: RecordCommand): StreamMember
}

/** Returns the rules of children by role. @throws {Error} for rules of a model that is not a child, or that are given twice */
const byRole = (model: Model, children: readonly Rules[]): Readonly<Record<string, AnyRules>> => {
  const rulesByRole: Record<string, AnyRules> = {}
  for (const rules of children) {
    const role = roleOf(model, rules.of)
    if (role === undefined || rulesByRole[role])
      throw new Error(`${model.name} has rules of ${rules.of.name} that it cannot have`)
    rulesByRole[role] = rules
  }
  return rulesByRole
}

/** Returns the root and the children of a model's streams, each with its rules. @throws {Error} for rules that fit no child, or that are given twice */
export const membersOf = (model: Model, rules: AnyRules = {}, childRules: readonly Rules[] = []): StreamMembers => {
  const root = memberOf(model, undefined, rules)
  const children = byRole(model, childRules)
  const below = new Map(Object.keys(model.children).map((role) => [role, memberOf(model, role, children[role] ?? {})]))
  return {
    root,
    all: [root, ...below.values()],
    of({ child }) {
      const member = child === undefined ? root : below.get(child)
      if (!member) throw new Error(`${model.name} has no ${child}`)
      return member
    },
  }
}
