import { PERSONAL, personOf } from '../../domain/kernel/personal.ts'
import type { ReadOnlyStore } from '../event-log/sqlite/open-reader.ts'
import { FINGERPRINT } from '../vault/key-store.ts'
import { type ArchiveLine, Tally } from './format.ts'

type Source = Omit<ReadOnlyStore, 'close'>

const keyLine = async (keys: Source['keys'], subject: number): Promise<ArchiveLine> => {
  const held = await keys.get(subject)
  const wrapped = held === 'destroyed' || held === undefined ? null : Buffer.from(held).toString('base64')
  return { key: { subject, wrapped } }
}

/** A whole log as an archive: claims, counters, checkpoints, keys and events up to the end that it has when this begins. */
export async function* exportArchive({ log, keys, checkpoints }: Source): AsyncGenerator<ArchiveLine> {
  const last = await log.lastPosition()
  yield await keyLine(keys, FINGERPRINT)
  for await (const claim of log.claims()) if (claim.revision >= 0) yield { claim }
  for await (const counter of log.counters.all()) yield { counter }
  for (const [reactor, position] of await checkpoints.all()) yield { checkpoint: { reactor, position } }
  const tally = new Tally()
  const known = new Set<number>()
  for await (const event of log.readAll()) {
    if (event.position > last) break
    const subject = personOf(event)
    if (typeof event.data[PERSONAL] === 'string' && !known.has(subject)) {
      known.add(subject)
      yield await keyLine(keys, subject)
    }
    tally.add(event)
    yield { event }
  }
  yield { end: tally.summary() }
}
