import { openSqliteReadModels } from '../../../infra/read-models/sqlite/store.ts'
import { changesIn } from '../read-models/rounds.ts'
import { collections } from '../read-models/setting.ts'

/** Exits while a large batch is being applied: in the same tick, or after the given delay. */
const [file, delay] = process.argv.slice(2) as [string, string]
const store = await openSqliteReadModels(file, collections)
const { changes, checkpoint } = changesIn(8, 100)
void store.live.apply(changes, checkpoint)
if (delay === '0') process.exit(3)
setTimeout(() => process.exit(3), Number(delay))
