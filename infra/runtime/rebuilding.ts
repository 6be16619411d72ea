import type { Logger } from 'pino'
import type { ReadModelStore } from '../../domain/kernel/ports/read-models.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { RebuildProgress } from '../../projections/rebuild.ts'
import type { Core, Stores } from './core.ts'

/** Thrown when a newer version has built the read models. */
export class Replaced extends Error {
  readonly refusal = refuse.unavailable('the read models are those of a newer version')

  constructor() {
    super(
      'the read models were built by a newer version of Millrace, and this one must not undo that: it answers requests, and leaves them to the ' +
        'newer one. Update this process, or, to go back to its version for good, run `millrace rebuild` with it.',
    )
  }
}

const report = ({ events, eventsPerSecond }: RebuildProgress) => ({ events, events_per_second: eventsPerSecond })

/**
 * Rebuilds what must be there before anything is served, if the live read models are not those of this version.
 *
 * @returns the collections whose old documents can be served until they are rebuilt
 * @throws {Replaced} when a newer version has built what there is
 */
export const buildBefore = async (core: Core, store: ReadModelStore, logger: Logger): Promise<readonly string[]> => {
  const { changed, unfit, isWhole, until, isReplaced } = await core.difference()
  if (isReplaced) throw new Replaced()
  if (changed.length > 0 && unfit !== undefined) {
    const built = isWhole ? undefined : await rebuildSome(core, changed, logger)
    logger.info({ ...report(built ?? (await core.rebuild())), reason: unfit }, 'read models built')
    return []
  }
  if (until) await store.note(until)
  return changed
}

/** Rebuilds all documents if they are ahead of the log, which has lost events or is a restored older copy. */
export const buildAfterLoss = async (
  core: Pick<Core, 'rebuild'>,
  { log, readModels: { live } }: Pick<Stores, 'log' | 'readModels'>,
  logger: Logger,
): Promise<void> => {
  const [reached, last] = [await live.checkpoint(), await log.lastPosition()]
  if (reached <= last || (await log.at(reached)) !== undefined) return
  logger.warn(
    { reached, last },
    `the documents have reached position ${reached}, but the log ends at ${last}: an older copy of it was restored, or its end is lost; building ` +
      'the documents anew from what is there',
  )
  await core.rebuild()
}

/** Rebuilds some collections; `undefined`: that failed, as when the others are damaged, and all must be rebuilt. */
const rebuildSome = async (
  core: Core,
  changed: readonly string[],
  logger: Logger,
): Promise<RebuildProgress | undefined> => {
  try {
    return await core.rebuild({}, changed)
  } catch (error) {
    logger.warn({ err: error, collections: changed }, 'these collections could not be rebuilt alone; rebuilding all')
    return undefined
  }
}

/** A rebuild beside the running service. */
interface RebuildBeside {
  /** Aborts it, unless it is done. */
  stop(): Promise<void>
}

/** Rebuilds collections beside the live ones. A failure is logged, and the next start tries again. */
export const startBuildingBeside = (
  collections: readonly string[],
  rebuild: (signal: AbortSignal) => Promise<RebuildProgress>,
  logger: Logger,
): RebuildBeside => {
  const stopping = new AbortController()
  const build = async () => {
    if (collections.length === 0) return
    logger.info({ collections }, 'rebuilding changed collections; their old documents are served until then')
    try {
      logger.info({ collections, ...report(await rebuild(stopping.signal)) }, 'changed collections built anew')
    } catch (error) {
      if (stopping.signal.aborted) return
      logger.error({ err: error, collections }, 'changed collections could not be rebuilt; the next start tries again')
    }
  }
  const done = build()
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}
