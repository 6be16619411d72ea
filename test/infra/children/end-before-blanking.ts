import { openSqliteStore } from '../../../infra/log-db/store.ts'
import { KeyHalves } from '../../../infra/vault/key-halves.ts'
import { event } from '../event-log/setting.ts'

/** Destroys a key, and dies after the destruction is recorded but before the key half is overwritten. Prints a text sealed with the key. */
const { log, vault } = await openSqliteStore(process.argv[2]!, Buffer.alloc(32, 7))
const sealed = await vault.seal(8, { email: 'grace@example.com' })
await log.append({ stream: 'contact-8', expected: -1, events: [event({ sealed })] })
process.stdout.write(`${sealed}\n`)
KeyHalves.prototype.erase = () => {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}
await vault.destroy(8)
