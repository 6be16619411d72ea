import type { Outcome } from '../mailing/outcomes.ts'

/** Number of contacts by what became of their mail. */
export type Outcomes = { readonly [outcome in Outcome]?: number }

/** Returns how many contacts have an outcome. */
export const totalOf = (outcomes: Outcomes): number => Object.values(outcomes).reduce((sum, count) => sum + count, 0)

/** Adds numbers by outcome. */
export const sumOf = (one: Outcomes, other: Outcomes): Outcomes => {
  const sum: Record<string, number> = { ...one }
  for (const [outcome, count] of Object.entries(other)) sum[outcome] = (sum[outcome] ?? 0) + count
  return sum
}

/** Returns numbers by outcome from a list of outcomes. */
export const countOutcomes = (all: readonly Outcome[]): Outcomes => {
  const counts: Record<string, number> = {}
  for (const outcome of all) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}
