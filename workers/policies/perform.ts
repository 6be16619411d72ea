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

/** What something follows from. */
export interface Caused {
  readonly event: RecordedEvent
  /** Name of the reaction. */
  readonly by: string
}

/** Carries out a command that follows from an event, once. @returns why not, if it was refused */
export type Performer = (cause: Caused, asked: Ask, index: number) => Promise<string | undefined>

interface PerformDeps {
  readonly engine: Engine
  readonly ids: Ids
  /** Told of the position of what was appended. */
  readonly onWritten: (position: number) => void
}

const ACTOR = workerActor('policies')

/** What is asked of a stream, and of which record in it. */
const whatIn = ({ type, child, id }: RecordCommand): string => (child === undefined ? type : `${type} ${child} ${id}`)

export const performer =
  ({ engine, ids, onWritten }: PerformDeps): Performer =>
  ({ event, by }, asked, index) =>
    withIds(ids, async () => {
      const { id, isNew } = instanceOf(asked, mintFrom(ids))
      const { aggregate, command } = stampCommand(asked, { at: event.metadata.at, actor: ACTOR }, id)
      const result = await engine.transact({
        ...{ aggregate, id, command, isNew },
        ...envelopeOf(event),
        ...(isNew
          ? { once: once(`cause:${event.id}:${by}:${index}`) }
          : { eventIds: (number: number) => derivedId(event.id, by, aggregate.name, id, whatIn(command), number) }),
      })
      if (result instanceof Refusal) return result.message
      onWritten(result.position)
      return undefined
    })
