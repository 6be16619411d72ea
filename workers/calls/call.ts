import type { Model, RecordOf } from '../../domain/kernel/model/model.ts'
import type { Adapter } from '../../domain/kernel/ports/calls.ts'
import type { OutboundCall } from '../../domain/kernel/react/outbound-call.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { DONE, type Outcome, type Reaction, STOPPED, type TaskTurn } from '../reactor/reaction.ts'
import { type SentCall, sentCallIn, tryCall } from './attempt.ts'
import { type CallDeps, keyOf, processOf, streamsOf } from './call-deps.ts'
import { reportToProcess } from './report.ts'

/** Calls at one port that run at once: of one workspace, and of all. */
const GROUP_LIMIT = 8
const LIMIT_OF_ALL = 16

/** @throws {Error} when the port has no adapter, or its adapter cannot be queried although the call needs that */
const adapterOf = ({ adapters }: CallDeps, { name, port, onUnknown }: OutboundCall): Adapter => {
  const adapter = adapters.get(port.name)
  if (!adapter) throw new Error(`nobody answers at ${port.name}, which ${name} calls`)
  if (onUnknown === 'query' && !adapter.find)
    throw new Error(`${port.name} cannot be asked, as ${name} wants it in doubt`)
  return adapter
}

const starts = ({ on, when }: OutboundCall, event: RecordedEvent): boolean =>
  on.includes(event.type) && (when?.(event) ?? true)

/** Returns the state of a call for which none is stored. */
const untried = ({ mayHaveBeenSent }: OutboundCall, record: RecordOf<Model>): SentCall => ({
  attempts: 0,
  stands: mayHaveBeenSent?.(record) ? 'doubt' : 'clear',
  due: 0,
})

/** Time after which a call that is due counts as late. Gateways remember the keys of calls for a day. */
const LATE_MS = 10 * 60_000

/**
 * Returns the state of a call that is to be tried. An older copy of the reactor store may have lost that the call was sent.
 * So one that is late, or was due in the future by a clock that was set back, is in doubt whatever is stored.
 */
const doubted = (kept: SentCall, { onUnknown }: OutboundCall, { metadata }: RecordedEvent, now: number): SentCall => {
  const due = kept.due === 0 ? Date.parse(metadata.at) : kept.due
  const isDoubted = kept.stands === 'clear' && onUnknown === 'query' && Math.abs(now - due) > LATE_MS
  return isDoubted ? { ...kept, stands: 'doubt' } : kept
}

/** Returns a function that tries a call under one key until its process is satisfied. A call in doubt is handled as declared. */
const callRunner =
  (deps: CallDeps, adapter: Adapter, calling: OutboundCall) =>
  async (event: RecordedEvent, turn: TaskTurn): Promise<Outcome> => {
    const { name, process, onUnknown } = calling
    const now = () => deps.now(event.metadata.workspace_id)
    const record = await processOf(deps, process, event)
    const request = record && calling.request(record)
    if (!record || request === undefined) return DONE
    const stored = sentCallIn(await turn.cursor()) ?? untried(calling, record)
    if (stored.due > now()) return { came: 'early', notBefore: stored.due }
    const kept = doubted(stored, calling, event, now())
    if (turn.stopping()) return STOPPED
    const key = await keyOf(deps, event, name)
    const isCalledOff = () => calling.isCalledOff?.(record, streamsOf(deps)) ?? false
    const result = await tryCall({ calling, adapter, request, key, isCalledOff, kept }, turn)
    const attempts = kept.stands === 'sent' ? kept.attempts : kept.attempts + 1
    const next = calling.outcome(request, result, attempts)
    const isSkipped = result.came === 'unknown' && onUnknown === 'accept'
    if ('againAfterMs' in next && !isSkipped) {
      const stands = result.came === 'answered' || result.came === 'unknown' ? 'doubt' : 'clear'
      const due = now() + next.againAfterMs
      await turn.saveCursor({ attempts, stands, due } satisfies SentCall)
      return { came: 'early', notBefore: due }
    }
    const reported = 'act' in next ? await reportToProcess(deps, { process, event, by: name, report: next }) : DONE
    if (!isSkipped) return reported
    const skipped = `${name}: skipped, since it may have been done: ${result.reason}`
    return { came: 'refused', reasons: [skipped, ...(reported.came === 'refused' ? reported.reasons : [])] }
  }

const portReaction = (deps: CallDeps, port: string, calls: readonly OutboundCall[]): Reaction => {
  const name = `call/${port}`
  const laneOf = (calling: OutboundCall, { stream }: RecordedEvent) => `${name}:${calling.name}:${stream}`
  const runners = calls.map((calling) => ({
    calling,
    run: callRunner(deps, adapterOf(deps, calling), calling),
  }))
  return {
    name,
    on: 'all',
    concerns: (event) => calls.some((calling) => starts(calling, event)),
    places: (event) =>
      calls
        .filter((calling) => starts(calling, event))
        .map((calling) => ({ lane: laneOf(calling, event), group: `${name}:${event.metadata.workspace_id ?? 0}` })),
    limit: () => GROUP_LIMIT,
    limitOfAll: LIMIT_OF_ALL,
    // A dead letter would lose the knowledge that the call may have been sent.
    maxAttempts: Number.POSITIVE_INFINITY,
    async react(event, turn) {
      const one = runners.find(({ calling }) => laneOf(calling, event) === turn.lane)
      return one ? one.run(event, turn) : DONE
    },
  }
}

/**
 * Returns the reactions that carry calls to the outside to their end: one for each port, so that a port that hangs does
 * not hold up the others.
 *
 * @throws {Error} when a port has no adapter that fits
 */
export const callReactions = (deps: CallDeps, calls: readonly OutboundCall[]): readonly Reaction[] => {
  const ports = new Set(calls.map(({ port }) => port.name))
  return [...ports].map((name) =>
    portReaction(
      deps,
      name,
      calls.filter(({ port }) => port.name === name),
    ),
  )
}
