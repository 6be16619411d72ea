import { subjectsOf } from '../../domain/kernel/model/personal.ts'
import type { DeadLetter } from '../../domain/kernel/ports/reactor-store.ts'
import type { ReadOnlyStore } from '../log-db/open-reader.ts'
import { FINGERPRINT } from '../vault/key-store.ts'
import { type ArchiveLine, type ReactorStoreLine, Tally } from './format.ts'

/** Dead letters read at once. */
const PAGE = 1000

type Source = Omit<ReadOnlyStore, 'close'>

const keyLine = async (keys: Source['keys'], subject: number): Promise<ArchiveLine> => {
  const key = await keys.get(subject)
  const wrapped = key === 'destroyed' || key === undefined ? null : Buffer.from(key).toString('base64')
  return { key: { subject, wrapped } }
}

/** Yields the reactor store, pending tasks before dead letters: a row that moves meanwhile is exported twice rather than not at all. */
async function* reactorStoreLines(reactorStore: Source['reactorStore']): AsyncGenerator<ReactorStoreLine> {
  for (const [reaction, since] of await reactorStore.reactions()) yield { reaction, since }
  for (const { gate, reaction, after } of await reactorStore.behind()) yield { behind: gate, reaction, after }
  for await (const [cursor, value] of reactorStore.cursors()) yield { cursor, value }
  for await (const owed of reactorStore.pending()) yield { owed }
  let after: Pick<DeadLetter, 'lane' | 'position'> | undefined
  do {
    const page: readonly DeadLetter[] = await reactorStore.deadLetters({ ...(after && { after }), limit: PAGE })
    for (const dead of page) yield { dead }
    after = page[PAGE - 1]
  } while (after)
}

/** Yields a log as an archive: checkpoints, reactor store, claims, counters, keys, and the events up to the end just before the claims are read. */
export async function* exportArchive({ log, keys, checkpoints, reactorStore }: Source): AsyncGenerator<ArchiveLine> {
  yield await keyLine(keys, FINGERPRINT)
  // Read before the end of the log is determined: the events of a task that is no longer pending are in the log by then.
  for (const [reactor, position] of await checkpoints.all()) yield { checkpoint: { reactor, position } }
  yield* reactorStoreLines(reactorStore)
  const last = await log.lastPosition()
  for await (const claim of log.claims()) if (claim.revision >= 0) yield { claim }
  for await (const counter of log.counters.all()) yield { counter }
  const tally = new Tally()
  const known = new Set<number>()
  for await (const event of log.readAll()) {
    if (event.position > last) break
    for (const subject of subjectsOf(event)) {
      if (known.has(subject)) continue
      known.add(subject)
      // A workspace has a key only if something in it needed one.
      if (subject > 0 || (await keys.get(subject)) !== undefined) yield await keyLine(keys, subject)
    }
    tally.add(event)
    yield { event }
  }
  yield { end: tally.summary() }
}
