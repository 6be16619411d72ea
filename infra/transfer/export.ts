import { subjectsOf } from '../../domain/kernel/model/personal.ts'
import type { DeadLetter } from '../../domain/kernel/ports/reactor-store.ts'
import type { ReadOnlyStore } from '../log-db/open-reader.ts'
import { FINGERPRINT } from '../vault/key-store.ts'
import { type ArchiveLine, type ReactorStoreLine, Tally } from './format.ts'

/** Letters read in one go. */
const PAGE = 1000

type Source = Omit<ReadOnlyStore, 'close'>

const keyLine = async (keys: Source['keys'], subject: number): Promise<ArchiveLine> => {
  const held = await keys.get(subject)
  const wrapped = held === 'destroyed' || held === undefined ? null : Buffer.from(held).toString('base64')
  return { key: { subject, wrapped } }
}

/** The reactorStore, what is owed before what was given up: a row that goes from one to the other meanwhile is met twice rather than never. */
async function* booksIn(reactorStore: Source['reactorStore']): AsyncGenerator<ReactorStoreLine> {
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

/** A whole log as an archive: checkpoints, reactorStore, claims, counters, keys and events up to the end that it has when it comes to the claims. */
export async function* exportArchive({ log, keys, checkpoints, reactorStore }: Source): AsyncGenerator<ArchiveLine> {
  yield await keyLine(keys, FINGERPRINT)
  // Before the end of the log is looked at: what is no longer owed has left its events by then.
  for (const [reactor, position] of await checkpoints.all()) yield { checkpoint: { reactor, position } }
  yield* booksIn(reactorStore)
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
