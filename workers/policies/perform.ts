import { type Ask, instanceOf, stampCommand } from '../../domain/kernel/decide/ask.ts'
import type { RecordCommand } from '../../domain/kernel/decide/rules.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import { workerActor } from '../../domain/kernel/engine/transaction.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { type Ids, mintFrom, withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { derivedId } from '../derived-id.ts'
import { envelopeOf } from '../envelope.ts'
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
const commandKey = ({ type, child, id }: RecordCommand): string =>
  child === undefined ? type : `${type} ${child} ${id}`

/** Returns a performer that sends commands to the engine. */
export const performer =
  ({ engine, ids, onWritten }: PerformDeps): Performer =>
  ({ event, by }, ask, index) =>
    withIds(ids, async () => {
      const { id, isNew } = instanceOf(ask, mintFrom(ids))
      const { aggregate, command } = stampCommand(ask, { at: event.metadata.at, actor: ACTOR }, id)
      const result = await engine.transact({
        ...{ aggregate, id, command, isNew },
        ...envelopeOf(event),
        ...ask.of,
        ...(isNew
          ? { once: once(`cause:${event.id}:${by}:${index}`) }
          : { eventIds: (number: number) => derivedId(event.id, by, aggregate.name, id, commandKey(command), number) }),
      })
      if (result instanceof Refusal) return result.message
      onWritten(result.position)
      return undefined
    })
