import { openSqliteStore } from '../../../infra/log-db/store.ts'
import { event } from '../event-log/setting.ts'

/** Appends sealed events until it is killed or the disk is full. Prints the number of each acknowledged event. */
const [directory, first, writers, bytes] = process.argv.slice(2) as [string, string, string, string]
const { log, vault } = await openSqliteStore(directory, Buffer.alloc(32, 7))
let next = Number(first)

async function write(): Promise<void> {
  for (;;) {
    const n = next++
    const sealed = await vault.seal(n + 1, { n, text: 'x'.repeat(Number(bytes)) })
    const result = await log.append({
      stream: `contact-${n}`,
      expected: -1,
      events: [event({ n, sealed }), event({ n, [`shape_${n % 300}`]: n })],
      take: [{ key: `email-${n}` }],
    })
    process.stdout.write(`${result.ok ? n : `conflict ${n}`}\n`)
  }
}

try {
  await Promise.all(Array.from({ length: Number(writers) }, write))
} catch (error) {
  process.stdout.write(`failed ${(error as Error).message}\n`)
  await log.close()
}
