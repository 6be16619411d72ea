import type { Standing } from './model.ts'

/** Whether a step is being done or undone. */
export type Way = 'going' | 'undoing'

/** A step, as far as the course of a process goes by it. */
export interface Stage {
  readonly name: string
  /** Absent: there is nothing to undo of it. */
  readonly undo?: unknown
}

/** Where a process stands that begins. */
export const started = ([first]: readonly Stage[]): Pick<Standing, 'step'> => ({ step: first?.name ?? null })

/** Nobody need look. */
const CLEAR = { stuck: null, doubted: false } as const

/** The last that is done and can be undone is undone next. */
const back = (stages: readonly Stage[], { done, because }: Pick<Standing, 'done' | 'because'>): Standing => {
  const last = stages.findLast(({ name, undo }) => undo !== undefined && done.includes(name))
  const next = last ? ({ status: 'undoing', step: last.name } as const) : ({ status: 'undone', step: null } as const)
  return { ...next, done, because, ...CLEAR }
}

/** Where a process stands when the step under way was done or undone. */
export const settled = (stages: readonly Stage[], { status, step, done, because }: Standing): Standing => {
  if (status === 'undoing') return back(stages, { done: done.filter((name) => name !== step), because })
  const doneNow = step === null ? done : [...done, step]
  const next = stages.find(({ name }) => !doneNow.includes(name))
  // What is done to its end is not undone for having been called off on its last step.
  if (!next) return { status: 'completed', step: null, done: doneNow, because: null, ...CLEAR }
  if (because !== null) return back(stages, { done: doneNow, because })
  return { status: 'going', step: next.name, done: doneNow, because, ...CLEAR }
}

/** Where a process stands when the step under way was not done, and never will be. */
export const failed = (stages: readonly Stage[], { done, because }: Standing, reason: string): Standing =>
  back(stages, { done, because: because ?? reason })
