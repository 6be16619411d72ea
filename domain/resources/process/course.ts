import type { Standing } from './model.ts'
import { COMPENSATED, COMPENSATING, COMPLETED, RUNNING } from './status.ts'

/** Whether a step is being done or compensated. */
export type Direction = typeof RUNNING | typeof COMPENSATING

/** A step, as far as the course of a process goes by it. */
export interface Stage {
  readonly name: string
  /** Absent: there is nothing to undo of it. */
  readonly compensate?: unknown
  /** So many times it is done, one after the other. None: the process does not have it to do. */
  readonly parts: number
}

/** Where a process stands that begins. */
export const started = (stages: readonly Stage[]): Pick<Standing, 'step'> => ({
  step: stages.find(({ parts }) => parts > 0)?.name ?? null,
})

/** Nobody need look. */
const CLEAR = { stuck: null, doubted: false } as const

type Course = Pick<Standing, 'done' | 'because'>

/** The last that is done and can be undone is undone next. */
const back = (stages: readonly Stage[], { done, because }: Course): Standing => {
  const last = stages.findLast(({ name, compensate }) => compensate !== undefined && done.includes(name))
  if (!last) return { status: COMPENSATED, step: null, part: 0, done, because, ...CLEAR }
  return { status: COMPENSATING, step: last.name, part: last.parts - 1, done, because, ...CLEAR }
}

/** The same from within a step of which the parts before one are done. */
const backFrom = (stages: readonly Stage[], step: string | null, part: number, course: Course): Standing => {
  const stage = stages.find(({ name }) => name === step)
  if (part === 0 || stage?.compensate === undefined) return back(stages, course)
  return { status: COMPENSATING, step, part: part - 1, ...course, ...CLEAR }
}

/** Where a process stands when the part of a step under way was done or undone. */
export const settled = (stages: readonly Stage[], { status, step, part, done, because }: Standing): Standing => {
  if (status === COMPENSATING) {
    if (part > 0) return { status, step, part: part - 1, done, because, ...CLEAR }
    return back(stages, { done: done.filter((name) => name !== step), because })
  }
  const parts = stages.find(({ name }) => name === step)?.parts ?? 1
  if (part + 1 < parts)
    return because === null
      ? { status: RUNNING, step, part: part + 1, done, because, ...CLEAR }
      : backFrom(stages, step, part + 1, { done, because })
  const doneNow = step === null ? done : [...done, step]
  const next = stages.find((stage) => stage.parts > 0 && !doneNow.includes(stage.name))
  // What is done to its end is not undone for having been called off on its last step.
  if (!next) return { status: COMPLETED, step: null, part: 0, done: doneNow, because: null, ...CLEAR }
  if (because !== null) return back(stages, { done: doneNow, because })
  return { status: RUNNING, step: next.name, part: 0, done: doneNow, because, ...CLEAR }
}

/** Where a process stands when the part of a step under way was not done, and never will be. */
export const failed = (stages: readonly Stage[], { step, part, done, because }: Standing, reason: string): Standing =>
  backFrom(stages, step, part, { done, because: because ?? reason })
