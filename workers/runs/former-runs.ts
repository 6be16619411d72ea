import { recordOf } from '../../domain/kernel/model/fold.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import { streamOf } from '../../domain/kernel/values/stream-name.ts'
import { run } from '../../domain/workflows/run/model.ts'
import { isUnderWay, runs } from '../../domain/workflows/run/rules.ts'
import type { RunsDeps } from './runs-deps.ts'

type Run = RecordOf<typeof run>

/** Runs that are looked at, those of a contact in a workflow with the highest ids. */
const MOST = 32

/** Events with which a run may be over. Others can follow that change nothing about it. */
const ENDS: readonly string[] = [run.event.RunStarted.type, run.event.RunStepPassed.type, run.event.RunCanceled.type]

/**
 * Returns the newest runs of a workflow with a contact. None is missing that had begun when this was called. Of what has become of one since, the documents may
 * not have all: one that is over there is so for good, and one that is under way there was so when their newest event happened.
 */
export const formerRuns = async (
  { begun, engine, live }: Pick<RunsDeps, 'begun' | 'engine' | 'live'>,
  workflow_id: number,
  contact_id: number,
): Promise<readonly Run[]> => {
  const lately = await begun.of(workflow_id, contact_id)
  const sort = { by: 'id', descending: true }
  const shown = (await live.find(run.name, { where: { contact_id, workflow_id }, sort, limit: MOST })).map(
    recordOf(run),
  )
  const ids = lately.filter((id) => !shown.some((one) => one.id === id))
  const added = await Promise.all(ids.map(async (id) => (await engine.records(runs, id, -1)).root(run)))
  return [...added.filter((one) => one !== undefined), ...shown].sort((a, b) => b.id - a.id).slice(0, MOST)
}

/** Returns the position of the event with which a run was over. */
const endOf = async ({ log }: Pick<RunsDeps, 'log'>, id: number): Promise<number> => {
  for await (const { type, position } of log.readStream(streamOf(run, id), { backwards: true }))
    if (ENDS.includes(type)) return position
  return -1
}

/**
 * Returns the run that keeps an event from letting its contact in: one that was not over when it happened. The log alone decides, so that it is the same run, or
 * none, whenever the event is looked at. A run that began after the event counts as well, since the event would have taken its place.
 *
 * @param former from documents that are at least as new as the event
 */
export const runAround = async (
  deps: Pick<RunsDeps, 'log'>,
  former: readonly Run[],
  position: number,
): Promise<Run | undefined> => {
  const underWay = former.find(isUnderWay)
  if (underWay) return underWay
  const ends = await Promise.all(former.map(({ id }) => endOf(deps, id)))
  return former.find((_, index) => ends[index]! > position)
}
