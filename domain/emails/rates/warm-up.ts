/** Marketing mails on each day of a new sending domain. After the last step any number goes. */
export const STEPS = [200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000] as const

/** Mails of a sending domain by day (UTC): `2026-11-26`. */
export type DayCounts = ReadonlyMap<string, number>

/** Part of a step that a day must have used for the next day to have the next step. */
const USED = 0.5

/** Returns the day of an instant. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Returns the beginning of the next day. */
export const nextDay = (at: number): number => Date.parse(`${dayOf(at)}T00:00:00Z`) + 86_400_000

/** Returns how many mails a domain may send on a day, by what it has sent on the days before; `undefined`: it is warm. */
export const limitOn = (day: string, counts: DayCounts): number | undefined => {
  let step = 0
  for (const before of [...counts.keys()].filter((one) => one < day).sort()) {
    const limit = STEPS[step]
    if (limit === undefined) return undefined
    if ((counts.get(before) ?? 0) >= limit * USED) step++
  }
  return STEPS[step]
}
