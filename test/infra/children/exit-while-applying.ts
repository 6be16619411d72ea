import { openEmbeddedReadModels } from '../../../infra/read-models/embedded/store.ts'
import { changesIn } from '../read-models/rounds.ts'
import { collections } from '../read-models/setting.ts'

/** Ends in the very turn in which it began to apply much. */
const store = await openEmbeddedReadModels(process.argv[2]!, collections)
const { changes, checkpoint } = changesIn(8, 100)
void store.live.apply(changes, checkpoint)
process.exit(3)
