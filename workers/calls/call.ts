import type { Calling } from '../../domain/kernel/calling.ts'
import type { Model, RecordOf } from '../../domain/kernel/model.ts'
import type { Callee } from '../../domain/kernel/ports/calls.ts'
import { DONE, type Outcome, type Reaction, STOPPED } from '../reactor/reaction.ts'
import { type Kept, keptIn, tryCall } from './attempt.ts'
import { type CallParts, keyOf, processOf } from './parts.ts'
import type { Places } from './places.ts'
import { tellProcess } from './report.ts'

/** Calls at one port for one workspace that are under way at once. */
const WIDTH = 8
/** How long one waits that finds no place at its port. */
const BUSY_MS = 500

/** @throws {Error} when nobody is there to be called, or to be asked when in doubt */
const calleeOf = ({ callees }: CallParts, { name, port, inDoubt }: Calling): Callee => {
  const callee = callees.get(port.name)
  if (!callee) throw new Error(`nobody answers at ${port.name}, which ${name} calls`)
  if (inDoubt === 'ask' && !callee.find) throw new Error(`${port.name} cannot be asked, as ${name} wants it in doubt`)
  return callee
}

/**
 * Carries a call to the outside to its end: tried under one key until its process says that it is enough, in doubt as it is declared.
 *
 * @throws {Error} when nobody is there to be called
 */
export const callReaction = (parts: CallParts, places: Places, calling: Calling): Reaction => {
  const { name, process, port, inDoubt, on } = calling
  const { now } = parts
  const callee = calleeOf(parts, calling)
  const types = new Set(on)

  const untried = (record: RecordOf<Model>): Kept => ({
    attempts: 0,
    stands: calling.isDoubted?.(record) ? 'doubt' : 'clear',
    due: 0,
  })

  return {
    name: `calls:${name}`,
    on: 'all',
    concerns: (event) => types.has(event.type) && (calling.when?.(event) ?? true),
    gate: ({ metadata }) => `calls:${port.name}:${metadata.workspace_id ?? 0}`,
    width: WIDTH,
    // A dead letter would forget what may have been sent.
    tries: Number.POSITIVE_INFINITY,
    async react(event, turn): Promise<Outcome> {
      const record = await processOf(parts, process, event)
      const request = record && calling.asks(record)
      if (!record || request === undefined) return DONE
      const kept = keptIn(await turn.cursor()) ?? untried(record)
      if (kept.due > now()) return { came: 'early', notBefore: kept.due }
      if (turn.stopping()) return STOPPED
      const key = await keyOf(parts, event, name)
      const isCalledOff = calling.isCalledOff?.(record) ?? false
      const trial = { calling, callee, request, key, isCalledOff, kept }
      const result = await places.at(port.name, () => tryCall(trial, turn))
      if (!result) return { came: 'early', notBefore: now() + BUSY_MS }
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
    },
  }
}
