import { openSqliteReadModels } from '../../../infra/read-models/sqlite/store.ts'
import { changesIn } from '../read-models/rounds.ts'
import { collections } from '../read-models/setting.ts'

/** Applies round after round until it is killed. Prints the number of each applied round. Reports a failed round and pauses. */
const [file, first, bytes] = process.argv.slice(2) as [string, string, string]
const store = await openSqliteReadModels(file, collections)
let failures = 0
for (let round = Number(first); failures < 2; ) {
  const { changes, checkpoint } = changesIn(round, Number(bytes))
  try {
    await store.live.apply(changes, checkpoint)
    await store.landed()
    process.stdout.write(`${round}\n`)
    round++
  } catch (error) {
    failures++
    process.stdout.write(`failed ${(error as { trouble?: string }).trouble} ${(error as Error).message}\n`)
  }
}
process.stdout.write(`reads ${(await store.live.find('contacts', { where: {} })).length > 0}\n`)
await store.close()
