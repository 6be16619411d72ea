import type { Reaction } from '../reactor/reaction.ts'
import { enteringReaction } from './entering.ts'
import type { RunsDeps } from './runs-deps.ts'
import { steppingReaction } from './stepping.ts'

/** Returns the reactions that let contacts into workflows and take them through. */
export const runReactions = (deps: RunsDeps): readonly Reaction[] => [enteringReaction(deps), steppingReaction(deps)]
