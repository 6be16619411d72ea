import { keyedQueues } from '../../domain/kernel/engine/keyed-queues.ts'
import type { Reaction } from '../reactor/reaction.ts'
import { BegunRuns } from './begun-runs.ts'
import { enteringReaction } from './entering.ts'
import type { RunsDeps } from './runs-deps.ts'
import { steppingReaction } from './stepping.ts'

/** Returns the reactions that let contacts into workflows and take them through. */
export const runReactions = (deps: Omit<RunsDeps, 'begun' | 'stepTurns'>): readonly Reaction[] => {
  const withRuns = { ...deps, begun: new BegunRuns(deps), stepTurns: keyedQueues() }
  return [enteringReaction(withRuns), steppingReaction(withRuns)]
}
