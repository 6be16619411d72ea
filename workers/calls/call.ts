import type { Model, RecordOf } from '../../domain/kernel/model/model.ts'
import type { Adapter } from '../../domain/kernel/ports/calls.ts'
import type { OutboundCall } from '../../domain/kernel/react/outbound-call.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { DONE, type Outcome, type Reaction, STOPPED, type TaskTurn } from '../reactor/reaction.ts'
import { type SentCall, sentCallIn, tryCall } from './attempt.ts'
import { type CallDeps, keyOf, processOf } from './call-deps.ts'
import { reportToProcess } from './report.ts'

/** Calls at one port that are under way at once: for one workspace, and for all. */
const WIDTH = 8
const ROOM = 16

/** @throws {Error} when nobody is there to be called, or to be asked when in doubt */
const adapterOf = ({ adapters }: CallDeps, { name, port, onUnknown }: OutboundCall): Adapter => {
  const adapter = adapters.get(port.name)
  if (!adapter) throw new Error(`nobody answers at ${port.name}, which ${name} calls`)
  if (onUnknown === 'query' && !adapter.find)
    throw new Error(`${port.name} cannot be asked, as ${name} wants it in doubt`)
  return adapter
}

const starts = ({ on, when }: OutboundCall, event: RecordedEvent): boolean =>
  on.includes(event.type) && (when?.(event) ?? true)

/** A call of which nothing is written down. */
const untried = ({ mayHaveBeenSent }: OutboundCall, record: RecordOf<Model>): SentCall => ({
  attempts: 0,
  stands: mayHaveBeenSent?.(record) ? 'doubt' : 'clear',
  due: 0,
})

/** Carries a call to its end: tried under one key until its process says that it is enough, in doubt as it is declared. */
const carrying =
  (deps: CallDeps, adapter: Adapter, calling: OutboundCall) =>
  async (event: RecordedEvent, turn: TaskTurn): Promise<Outcome> => {
    const { name, process, onUnknown } = calling
    const now = () => deps.now(event.metadata.workspace_id)
    const record = await processOf(deps, process, event)
    const request = record && calling.request(record)
    if (!record || request === undefined) return DONE
    const kept = sentCallIn(await turn.cursor()) ?? untried(calling, record)
    if (kept.due > now()) return { came: 'early', notBefore: kept.due }
    if (turn.stopping()) return STOPPED
    const key = await keyOf(deps, event, name)
    const isCalledOff = calling.isCalledOff?.(record) ?? false
    const result = await tryCall({ calling, adapter, request, key, isCalledOff, kept }, turn)
    const attempts = kept.stands === 'sent' ? kept.attempts : kept.attempts + 1
    const next = calling.outcome(request, result, attempts)
    const isSkipped = result.came === 'unknown' && onUnknown === 'accept'
    if ('againAfterMs' in next && !isSkipped) {
      const stands = result.came === 'answered' || result.came === 'unknown' ? 'doubt' : 'clear'
      const due = now() + next.againAfterMs
      await turn.keep({ attempts, stands, due } satisfies SentCall)
      return { came: 'early', notBefore: due }
    }
    const told = 'act' in next ? await reportToProcess(deps, { process, event, by: name, report: next }) : DONE
    if (!isSkipped) return told
    const skipped = `${name}: skipped, since it may have been done: ${result.reason}`
    return { came: 'refused', reasons: [skipped, ...(told.came === 'refused' ? told.reasons : [])] }
  }

const portReaction = (deps: CallDeps, port: string, callings: readonly OutboundCall[]): Reaction => {
  const name = `call/${port}`
  const laneOf = (calling: OutboundCall, { stream }: RecordedEvent) => `${name}:${calling.name}:${stream}`
  const carriers = callings.map((calling) => ({
    calling,
    carry: carrying(deps, adapterOf(deps, calling), calling),
  }))
  return {
    name,
    on: 'all',
    concerns: (event) => callings.some((calling) => starts(calling, event)),
    places: (event) =>
      callings
        .filter((calling) => starts(calling, event))
        .map((calling) => ({ lane: laneOf(calling, event), group: `${name}:${event.metadata.workspace_id ?? 0}` })),
    limit: () => WIDTH,
    limitOfAll: ROOM,
    // A dead letter would forget what may have been sent.
    maxAttempts: Number.POSITIVE_INFINITY,
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
export const callReactions = (deps: CallDeps, callings: readonly OutboundCall[]): readonly Reaction[] => {
  const ports = new Set(callings.map(({ port }) => port.name))
  return [...ports].map((name) =>
    portReaction(
      deps,
      name,
      callings.filter(({ port }) => port.name === name),
    ),
  )
}
