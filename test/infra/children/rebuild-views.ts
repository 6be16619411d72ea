import { openSqliteReadModels } from '../../../infra/read-models/sqlite/store.ts'
import { builtFrom, changes, collections, contacts } from '../read-models/setting.ts'

/** Builds a generation with one contact of the given kind, and waits to be killed. */
const [file, kind] = process.argv.slice(2) as [string, string]
const store = await openSqliteReadModels(file, collections)
const building = await store.rebuild(builtFrom(kind))
await building.apply(changes('contacts', contacts({ kind })), 7)
process.stdout.write('built\n')
setInterval(() => undefined, 1000)
