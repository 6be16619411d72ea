import type { Engine } from '../../domain/kernel/engine.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { type Ids, withIds } from '../../domain/kernel/id.ts'
import type { Consequence } from '../../domain/kernel/policy.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import type { RecordCommand } from '../../domain/kernel/rules.ts'
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
export type Performer = (cause: Caused, consequence: Consequence, index: number) => Promise<string | undefined>

interface Parts {
  readonly engine: Engine
  readonly ids: Ids
  /** Told of the position of what was appended. */
  readonly onWritten: (position: number) => void
}

/** What is asked of a stream, and of which record in it. */
const whatIn = ({ type, child, id }: RecordCommand): string => (child === undefined ? type : `${type} ${child} ${id}`)

export const performer =
  ({ engine, ids, onWritten }: Parts): Performer =>
  ({ event, by }, consequence, index) =>
    withIds(ids, async () => {
      const { aggregate } = consequence
      const isNew = consequence.isNew ?? consequence.id === 'new'
      const id = consequence.id === 'new' ? ids.next(aggregate.name) : consequence.id
      const command = { id, ...consequence.command(ids.next) }
      const result = await engine.transact({
        aggregate,
        id,
        isNew,
        command,
        ...envelopeOf(event),
        ...(isNew
          ? { once: once(`cause:${event.id}:${by}:${index}`) }
          : { eventIds: (number: number) => derivedId(event.id, by, aggregate.name, id, whatIn(command), number) }),
      })
      if (result instanceof Refusal) return result.message
      onWritten(result.position)
      return undefined
    })
