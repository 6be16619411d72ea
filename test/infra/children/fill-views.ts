import { openSqliteReadModels } from '../../../infra/read-models/sqlite/store.ts'
import { changes, collections, contacts } from '../read-models/setting.ts'

/** Applies what there is no room for, and then what there is. */
const store = await openSqliteReadModels(process.argv[2]!, collections)
const say = (line: string) => process.stdout.write(`${line}\n`)
const large = contacts(...Array.from({ length: 1000 }, () => ({ text: 'x'.repeat(50_000) })))
await store.live.apply(changes('contacts', large), 1000).catch((error: { trouble?: string }) => say(`${error.trouble}`))
await store.live.apply(changes('contacts', contacts({ kind: 'small' })), 10)
say('smaller fits')
say(String((await store.live.count('contacts', {})) === 1))
await store.close()
