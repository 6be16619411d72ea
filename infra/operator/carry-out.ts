import { randomUUID } from 'node:crypto'
import type { Ask } from '../../domain/kernel/decide/ask.ts'
import type { Actor } from '../../domain/kernel/decide/command.ts'
import { desk } from '../../domain/kernel/engine/desk.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import { type AwaitPosition, waitUntilReadableWithin } from '../../domain/kernel/engine/readable.ts'
import type { Ids } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'

/** Who acts where the operator does. */
export const OPERATOR: Actor = { label: 'operator' }

/** Dependencies of carrying out commands of the operator. */
export interface OperatorEngine {
  readonly engine: Engine
  /** For commands that make something. */
  readonly ids?: Ids
  readonly reached: AwaitPosition
}

/** What a command of the operator is about; nothing: the installation. */
interface Scope {
  readonly teamId?: number
  readonly workspaceId?: number
}

/**
 * Carries out a command of the operator, and waits until its effect is readable.
 *
 * @param at milliseconds since 1970
 * @throws {Refusal} when it is refused
 */
export const carryOut = async (
  { reached, ...deps }: OperatorEngine,
  asked: Ask,
  scope: Scope,
  at: number,
): Promise<void> => {
  const occasion = { actor: OPERATOR, at: new Date(at).toISOString(), cause: randomUUID(), ...scope }
  const result = await desk(deps)(occasion, asked)
  if (result instanceof Refusal) throw result
  if (result.position >= 0) await waitUntilReadableWithin(reached, result.position)
}
