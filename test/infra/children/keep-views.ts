import { openSqliteReadModels } from '../../../infra/read-models/sqlite/store.ts'
import { changesIn } from '../read-models/rounds.ts'
import { builtFrom, collections } from '../read-models/setting.ts'

/**
 * Builds generation after generation until it is killed. Each carries over the documents of the one before, which change meanwhile.
 * Prints every applied round and every generation that took over.
 */
const store = await openSqliteReadModels(process.argv[2]!, collections)
let round = Number(process.argv[3])
const apply = async (models: typeof store.live, number: number) => {
  const { changes, checkpoint } = changesIn(number, 10)
  await models.apply(changes, checkpoint)
}
for (;;) {
  const begun = round
  const beginning = store.rebuild(builtFrom(`${begun}`), { carryOver: ['contacts'] })
  for (let n = 0; n < 3; n++) {
    await apply(store.live, round)
    await store.landed()
    process.stdout.write(`${round++}\n`)
  }
  const building = await beginning
  await building.apply([], building.carriedOver)
  for (let number = begun; number < round; number++)
    if (changesIn(number, 10).checkpoint > building.carriedOver) await apply(building, number)
  await building.takeOver()
  process.stdout.write(`took over ${begun}\n`)
}
