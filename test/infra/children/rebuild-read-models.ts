import { openEmbeddedReadModels } from '../../../infra/read-models/embedded/store.ts'
import { changes, collections, contacts } from '../read-models/setting.ts'

/** Builds a generation with one contact of the given kind; lets it take over when told to, and ends at the end of its input. */
const [directory, kind] = process.argv.slice(2) as [string, string]
const store = await openEmbeddedReadModels(directory, collections)
const building = await store.rebuild(kind)
await building.apply(changes('contacts', contacts({ kind })), 7)
process.stdout.write('built\n')
for await (const _ of process.stdin) {
  await building.takeOver()
  process.stdout.write('took over\n')
}
await store.close()
