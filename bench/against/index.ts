import { dataSets } from '../data-sets.ts'
import { ROOT } from '../places.ts'
import type { Probe, ProbeContext } from '../probe.ts'
import { checkOut } from './checkout.ts'
import { compare, type SideName } from './compare.ts'
import type { Compared } from './report.ts'

/** The last version with its own stores on LMDB. */
export const BEFORE_SQLITE = 'e06e7e8'

/** Options of a comparison. */
export interface AgainstOptions extends Pick<ProbeContext, 'effort' | 'scratch' | 'tell'> {
  /** Directory for the builds of other commits. */
  readonly dir: string
}

/** Compares this build with another commit, letter by letter. */
export async function* compareWith(
  commit: string,
  probes: readonly Probe[],
  { effort, scratch, tell, dir }: AgainstOptions,
): AsyncGenerator<Compared & { readonly against: string }> {
  const { hash, subject, root } = await checkOut(commit, dir, tell)
  tell(`ours is what is built in ${ROOT}, theirs is ${hash.slice(0, 10)} (${subject}); ratios are ours to theirs`)
  const side = (name: SideName, at: string): Omit<ProbeContext, 'start' | 'bare'> => {
    const own = (place: string) => scratch(`${name}-${place}`)
    const say = (text: string) => tell(`${name}: ${text}`)
    return { effort, root: at, scratch: own, tell: say, data: dataSets(effort, own, say, at) }
  }
  const sides = { ours: side('ours', ROOT), theirs: side('theirs', root) }
  for (const probe of probes) yield { against: hash, ...(await compare(probe, sides, hash.startsWith(BEFORE_SQLITE))) }
}
