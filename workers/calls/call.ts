import type { Model, RecordOf } from '../../domain/kernel/model/model.ts'
import type { Callee } from '../../domain/kernel/ports/calls.ts'
import type { Calling } from '../../domain/kernel/react/call.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { DONE, type Outcome, type Reaction, STOPPED, type Turn } from '../reactor/reaction.ts'
import { type Kept, keptIn, tryCall } from './attempt.ts'
import { type CallParts, keyOf, processOf } from './call-deps.ts'
import { tellProcess } from './report.ts'

/** Calls at one port that are under way at once: for one workspace, and for all. */
const WIDTH = 8
const ROOM = 16

/** @throws {Error} when nobody is there to be called, or to be asked when in doubt */
const calleeOf = ({ callees }: CallParts, { name, port, inDoubt }: Calling): Callee => {
  const callee = callees.get(port.name)
  if (!callee) throw new Error(`nobody answers at ${port.name}, which ${name} calls`)
  if (inDoubt === 'ask' && !callee.find) throw new Error(`${port.name} cannot be asked, as ${name} wants it in doubt`)
  return callee
}

const starts = ({ on, when }: Calling, event: RecordedEvent): boolean =>
  on.includes(event.type) && (when?.(event) ?? true)

/** A call of which nothing is written down. */
const untried = ({ isDoubted }: Calling, record: RecordOf<Model>): Kept => ({
  attempts: 0,
  stands: isDoubted?.(record) ? 'doubt' : 'clear',
  due: 0,
})

/** Carries a call to its end: tried under one key until its process says that it is enough, in doubt as it is declared. */
const carrying =
  (parts: CallParts, callee: Callee, calling: Calling) =>
  async (event: RecordedEvent, turn: Turn): Promise<Outcome> => {
    const { name, process, inDoubt } = calling
    const now = () => parts.now(event.metadata.workspace_id)
    const record = await processOf(parts, process, event)
    const request = record && calling.asks(record)
    if (!record || request === undefined) return DONE
    const kept = keptIn(await turn.cursor()) ?? untried(calling, record)
    if (kept.due > now()) return { came: 'early', notBefore: kept.due }
    if (turn.stopping()) return STOPPED
    const key = await keyOf(parts, event, name)
    const isCalledOff = calling.isCalledOff?.(record) ?? false
    const result = await tryCall({ calling, callee, request, key, isCalledOff, kept }, turn)
    const attempts = kept.stands === 'sent' ? kept.attempts : kept.attempts + 1
    const next = calling.came(request, result, attempts)
    const isSkipped = result.came === 'unknown' && inDoubt === 'skip'
    if ('againAfterMs' in next && !isSkipped) {
      const stands = result.came === 'answered' || result.came === 'unknown' ? 'doubt' : 'clear'
      const due = now() + next.againAfterMs
      await turn.keep({ attempts, stands, due } satisfies Kept)
      return { came: 'early', notBefore: due }
    }
    const told = 'act' in next ? await tellProcess(parts, { process, event, by: name, report: next }) : DONE
    if (!isSkipped) return told
    const skipped = `${name}: skipped, since it may have been done: ${result.reason}`
    return { came: 'refused', reasons: [skipped, ...(told.came === 'refused' ? told.reasons : [])] }
  }

const portReaction = (parts: CallParts, port: string, callings: readonly Calling[]): Reaction => {
  const name = `call/${port}`
  const laneOf = (calling: Calling, { stream }: RecordedEvent) => `${name}:${calling.name}:${stream}`
  const carriers = callings.map((calling) => ({
    calling,
    carry: carrying(parts, calleeOf(parts, calling), calling),
  }))
  return {
    name,
    on: 'all',
    concerns: (event) => callings.some((calling) => starts(calling, event)),
    places: (event) =>
      callings
        .filter((calling) => starts(calling, event))
        .map((calling) => ({ lane: laneOf(calling, event), gate: `${name}:${event.metadata.workspace_id ?? 0}` })),
    limit: () => WIDTH,
    room: ROOM,
    // A dead letter would forget what may have been sent.
    tries: Number.POSITIVE_INFINITY,
    async react(event, turn) {
      const one = carriers.find(({ calling }) => laneOf(calling, event) === turn.lane)
      return one ? one.carry(event, turn) : DONE
    },
  }
}

/**
 * Carries calls to the outside to their end: a reaction for each port, so that one that hangs holds up no other.
 *
 * @throws {Error} when nobody is there for one of them
 */
export const callReactions = (parts: CallParts, callings: readonly Calling[]): readonly Reaction[] => {
  const ports = new Set(callings.map(({ port }) => port.name))
  return [...ports].map((name) =>
    portReaction(
      parts,
      name,
      callings.filter(({ port }) => port.name === name),
    ),
  )
}
