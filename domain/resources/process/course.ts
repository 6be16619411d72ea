import type { ProcessState } from './model.ts'
import { COMPENSATED, COMPENSATING, COMPLETED, RUNNING } from './status.ts'

/** Whether a step is being invoked or compensated. */
export type Direction = typeof RUNNING | typeof COMPENSATING

/** The facts about a step that decide the course of a process. */
export interface Stage {
  readonly name: string
  /** Absent if the step needs no compensation. */
  readonly compensate?: unknown
  /** Whether its compensation waits until those of all other steps are done. */
  readonly compensatesLast?: boolean
  /** Number of parts, done one after the other; 0 if the process skips the step. */
  readonly parts: number
}

/** Returns the first step of a process. */
export const firstStep = (stages: readonly Stage[]): Pick<ProcessState, 'step'> => ({
  step: stages.find(({ parts }) => parts > 0)?.name ?? null,
})

/** Fields of a process that needs no attention. */
const NOT_STUCK = { stuck: null, doubted: false } as const

type Progress = Pick<ProcessState, 'done' | 'because'>

/** Moves a process to the compensation of the last step that is done and has one, of those that do not wait for the others if there are any. */
const compensateNext = (stages: readonly Stage[], { done, because }: Progress): ProcessState => {
  const open = stages.filter(({ name, compensate }) => compensate !== undefined && done.includes(name))
  const last = open.findLast(({ compensatesLast }) => !compensatesLast) ?? open.at(-1)
  if (!last) return { status: COMPENSATED, step: null, part: 0, done, because, ...NOT_STUCK }
  return { status: COMPENSATING, step: last.name, part: last.parts - 1, done, because, ...NOT_STUCK }
}

/** Does the same from within a step whose parts before `part` are done. */
const compensateFrom = (
  stages: readonly Stage[],
  step: string | null,
  part: number,
  progress: Progress,
): ProcessState => {
  const stage = stages.find(({ name }) => name === step)
  if (part === 0 || stage?.compensate === undefined) return compensateNext(stages, progress)
  return { status: COMPENSATING, step, part: part - 1, ...progress, ...NOT_STUCK }
}

/** Returns the state of a process after the part that is under way was done or compensated. */
export const afterPartDone = (
  stages: readonly Stage[],
  { status, step, part, done, because }: ProcessState,
): ProcessState => {
  if (status === COMPENSATING) {
    if (part > 0) return { status, step, part: part - 1, done, because, ...NOT_STUCK }
    return compensateNext(stages, { done: done.filter((name) => name !== step), because })
  }
  const parts = stages.find(({ name }) => name === step)?.parts ?? 1
  if (part + 1 < parts)
    return because === null
      ? { status: RUNNING, step, part: part + 1, done, because, ...NOT_STUCK }
      : compensateFrom(stages, step, part + 1, { done, because })
  const doneSteps = step === null ? done : [...done, step]
  const next = stages.find((stage) => stage.parts > 0 && !doneSteps.includes(stage.name))
  // A process that was called off during its last step is complete all the same, and is not compensated.
  if (!next) return { status: COMPLETED, step: null, part: 0, done: doneSteps, because: null, ...NOT_STUCK }
  if (because !== null) return compensateNext(stages, { done: doneSteps, because })
  return { status: RUNNING, step: next.name, part: 0, done: doneSteps, because, ...NOT_STUCK }
}

/** Returns the state of a process after the part that is under way failed for good. */
export const afterPartFailed = (
  stages: readonly Stage[],
  { step, part, done, because }: ProcessState,
  reason: string,
): ProcessState => compensateFrom(stages, step, part, { done, because: because ?? reason })
