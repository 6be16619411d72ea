import type { DueTimer } from '../../domain/kernel/model/due.ts'

const BEGINNING = 'timer:'

/** Returns the cause of what a timer of a record brings about. Everything that follows from it has it as its correlation id. */
export const causeOfTimer = (resource: string, id: number, { name, due }: DueTimer): string =>
  `${BEGINNING}${resource}:${id}:${name}:${due}`

/** Returns when the timer was due that is behind a cause; `undefined` for any other cause. */
export const dueIn = (cause: string): string | undefined =>
  cause.startsWith(BEGINNING) ? cause.split(':').slice(4).join(':') : undefined
