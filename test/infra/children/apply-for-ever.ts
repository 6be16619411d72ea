import { openEmbeddedReadModels } from '../../../infra/read-models/embedded/store.ts'
import { changesIn } from '../read-models/rounds.ts'
import { collections } from '../read-models/setting.ts'

/** Applies round after round until it is killed or the disk is full; prints the number of each that is in. */
const [directory, first, bytes] = process.argv.slice(2) as [string, string, string]
const store = await openEmbeddedReadModels(directory, collections)
try {
  for (let round = Number(first); ; round++) {
    const { changes, checkpoint } = changesIn(round, Number(bytes))
    await store.live.apply(changes, checkpoint)
    process.stdout.write(`${round}\n`)
  }
} catch (error) {
  process.stdout.write(`failed ${(error as Error).message}\n`)
  await store.close()
}
