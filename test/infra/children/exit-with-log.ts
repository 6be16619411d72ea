import { openSqliteStore } from '../../../infra/event-log/sqlite/store.ts'
import { event } from '../event-log/setting.ts'

/** Appends some events and ends without closing the log, as after an error that nobody expected. */
const [directory] = process.argv.slice(2) as [string]
const { log } = await openSqliteStore(directory, Buffer.alloc(32, 7))
for (let n = 0; n < 5; n++) {
  await log.append({ stream: `contact-${n}`, expected: -1, events: [event({ n })] })
  process.stdout.write(`${n}\n`)
}
process.exit(1)
