import { setTimeout as sleep } from 'node:timers/promises'
import { openSqliteReadModels } from '../../../infra/read-models/sqlite/store.ts'
import { changes, collections, contacts } from '../read-models/setting.ts'

/** Applies more than the disk has space for, reports that it can still be read, and waits for space. */
const store = await openSqliteReadModels(process.argv[2]!, collections)
const say = (line: string) => process.stdout.write(`${line}\n`)
const large = contacts(...Array.from({ length: 1000 }, () => ({ text: 'x'.repeat(50_000) })))
await store.live.apply(changes('contacts', large), 1000)
const trouble = () =>
  store.landed().then(
    () => undefined,
    (error: { trouble?: string }) => error.trouble,
  )
say(`${await trouble()}`)
say(`reads ${(await store.live.find('contacts', { where: {} })).length}`)
const another = store.live.apply(changes('contacts', contacts({ kind: 'one more' }), 1001), 1001)
say(await another.catch((error: { trouble?: string }) => `takes no more: ${error.trouble}`).then(String))
while (await trouble()) await sleep(20)
say(`counts ${await store.live.count('contacts', {})}`)
await store.close()
