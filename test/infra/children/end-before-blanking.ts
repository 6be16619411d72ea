import { openSqliteStore } from '../../../infra/log-db/store.ts'
import { KeyHalves } from '../../../infra/vault/key-halves.ts'
import { event } from '../event-log/setting.ts'

/** Destroys a key, and is killed between the record of that and the overwriting of its half; prints what was sealed under it. */
const { log, vault } = await openSqliteStore(process.argv[2]!, Buffer.alloc(32, 7))
const sealed = await vault.seal(8, { email: 'grace@example.com' })
await log.append({ stream: 'contact-8', expected: -1, events: [event({ sealed })] })
process.stdout.write(`${sealed}\n`)
KeyHalves.prototype.erase = () => {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}
await vault.destroy(8)
