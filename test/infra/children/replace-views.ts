import { openSqliteReadModels } from '../../../infra/read-models/sqlite/store.ts'
import { changesIn } from '../read-models/rounds.ts'
import { builtFrom, collections } from '../read-models/setting.ts'

/** Builds generation after generation until it is killed, and changes each once it is live. Prints every one that took over. */
const store = await openSqliteReadModels(process.argv[2]!, collections)
const applied = async (models: typeof store.live, round: number) => {
  const { changes, checkpoint } = changesIn(round, 10)
  await models.apply(changes, checkpoint)
}
for (let n = 0; ; n++) {
  const building = await store.rebuild(builtFrom(`${n}`))
  for (let round = 1; round <= 3; round++) await applied(building, round)
  const writing = applied(store.live, 7).catch(() => undefined)
  await building.takeOver()
  process.stdout.write(`${n}\n`)
  await writing
  for (let round = 4; round <= 6; round++) await applied(store.live, round)
}
