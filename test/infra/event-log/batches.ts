import type { StoreChange } from '../../../domain/kernel/ports/reactor-store.ts'
import type { Write } from '../../../infra/log-db/batch.ts'
import type { Database } from '../../../infra/sqlite/binding.ts'
import type { Random } from '../../support/random.ts'

/** Batches of appends with claims, of keys, checkpoints and changes of the reactor store. No two batches share anything. */
export const batchOf = (number: number, { below }: Random): readonly Write[] => {
  const writes: Write[] = []
  const count = 2 + below(5)
  for (let each = 0; each < count; each++) {
    const name = `${number}-${each}`
    writes.push(append(name, 1 + below(3), below(3000)))
    if (below(2) === 0) writes.push(keyOf(number * 100 + each + 1, below(256)))
  }
  writes.push({ kind: 'checkpoint', reactor: `reactor-${number}`, position: number }, booksOf(number, below(400)))
  return writes
}

const append = (name: string, events: number, bytes: number): Write => ({
  kind: 'append',
  stream: `contact-${name}`,
  expected: -1,
  events: Array.from({ length: events }, (_, index) => ({
    id: `event-${name}-${index}`,
    type: 'SomethingHappened',
    data: JSON.stringify({ name, text: 'x'.repeat(bytes) }),
    metadata: '{"at":"2026-02-03T04:05:06.789Z"}',
  })),
  take: [{ key: `email-${name}` }, { key: `phone-${name}`, note: 'n'.repeat(bytes % 500) }],
  release: [],
  repeatable: true,
  numbers: [],
})

const keyOf = (subject: number, byte: number): Write => ({
  kind: 'key',
  subject,
  slot: subject,
  half: Buffer.alloc(32, byte),
})

const booksOf = (number: number, bytes: number): Write => {
  const row = { lane: `mails/${number}`, reaction: 'mails', gate: 'g'.repeat(bytes), workspace_id: number, attempts: 1 }
  const at = '2026-02-03T04:05:06.789Z'
  const entries: StoreChange[] = [
    { owed: { ...row, position: number, due: null, error: null } },
    { dead: { ...row, position: number, at, error: 'gone' } },
    { refused: { reaction: 'mails', position: number, workspace_id: number, at, reason: 'no' } },
    { cursor: `job-${number}`, value: 'v'.repeat(bytes) },
    { reaction: `mails-${number}`, since: number },
  ]
  return { kind: 'books', entries, checkpoint: undefined }
}

/** Rows of each table that batches write to. */
export const contentOf = (db: Database): Readonly<Record<string, readonly unknown[]>> =>
  Object.fromEntries(
    ['event', 'claim', 'key', 'checkpoint', 'owed', 'dead', 'refused', 'cursor', 'reaction'].map((table) => [
      table,
      db.prepare(`SELECT * FROM "${table}" ORDER BY 1`).all(),
    ]),
  )
