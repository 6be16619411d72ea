import type { Ask } from '../../domain/kernel/decide/ask.ts'
import type { RecordCommand } from '../../domain/kernel/decide/rules.ts'
import { becauseOf, desk } from '../../domain/kernel/engine/desk.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import { workerActor } from '../../domain/kernel/engine/transaction.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { Ids } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { derivedId } from '../derived-id.ts'
import { once } from '../once.ts'

/** Cause of a command. */
export interface Caused {
  readonly event: RecordedEvent
  /** Name of the reaction. */
  readonly by: string
}

/** Carries out a command that follows from an event, once. @param index names it among those of the same cause. @returns why it was refused, if it was */
export type Performer = (cause: Caused, ask: Ask, index: number | string) => Promise<string | undefined>

interface PerformDeps {
  readonly engine: Engine
  readonly ids: Ids
  /** Called with the position of what was appended. */
  readonly onWritten: (position: number) => void
}

const ACTOR = workerActor('policies')

/** Identifies a command among those for the same stream. */
const commandKey = ({ type, child, id }: Pick<RecordCommand, 'type' | 'child' | 'id'>): string =>
  child === undefined ? type : `${type} ${child} ${id}`

/** Returns a performer that sends commands to the engine. */
export const performer = ({ engine, ids, onWritten }: PerformDeps): Performer => {
  const carryOut = desk({ engine, ids })
  return async ({ event, by }, ask, index) => {
    const { aggregate, id, command } = ask
    const result = await carryOut(becauseOf(event, { actor: ACTOR, at: event.metadata.at }), ask, {
      claim: once(`cause:${event.id}:${by}:${index}`),
      ids: (number) =>
        derivedId(event.id, by, aggregate.name, Number(id), commandKey({ id: Number(id), ...command }), number),
    })
    if (result instanceof Refusal) return result.message
    onWritten(result.position)
    return undefined
  }
}
