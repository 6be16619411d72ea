import { dataSets } from '../data-sets.ts'
import { ROOT } from '../places.ts'
import { checkOut } from './checkout.ts'
import { commands } from './commands.ts'
import { footprint } from './footprint.ts'
import { lists } from './lists.ts'
import { reads } from './reads.ts'
import { rebuild } from './rebuild.ts'
import { type Compared, comparedAsJson, comparedAsText } from './report.ts'
import type { Duel, SideName } from './sides.ts'
import { slowDisk } from './slow-disk.ts'
import { structure } from './structure.ts'
import { writes } from './writes.ts'

type Comparing = (duel: Duel) => Promise<Compared>

export const COMPARISONS: Readonly<Record<string, Comparing>> = {
  a: writes,
  b: reads,
  c: lists,
  d: rebuild,
  e: commands,
  f: footprint,
  g: structure,
  h: slowDisk,
}

/** How the two sides are compared. */
export interface AgainstOptions extends Pick<Duel, 'effort' | 'scratch' | 'tell'> {
  /** Where builds of other commits are kept. */
  readonly dir: string
  readonly json: boolean
}

/** Compares this build with another commit, letter by letter; gives each letter's report. */
export async function* compareWith(
  commit: string,
  comparisons: readonly Comparing[],
  { effort, scratch, tell, dir, json }: AgainstOptions,
): AsyncGenerator<string> {
  const { hash, subject, root } = await checkOut(commit, dir, tell)
  tell(`ours is what is built in ${ROOT}, theirs is ${hash.slice(0, 10)} (${subject}); ratios are ours to theirs`)
  const data = (side: SideName, at: string) =>
    dataSets(
      effort,
      (name) => scratch(`${side}-${name}`),
      (text) => tell(`${side}: ${text}`),
      at,
    )
  const sides = {
    ours: { root: ROOT, data: data('ours', ROOT) },
    theirs: { root, data: data('theirs', root) },
  }
  for (const comparison of comparisons) {
    const compared = await comparison({ effort, sides, scratch, tell })
    yield json ? comparedAsJson(compared, hash) : comparedAsText(compared)
  }
}
