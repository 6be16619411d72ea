import { randomUUID } from 'node:crypto'
import { contacts } from '../../domain/contacts/contact/rules.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { readConfig } from '../../infra/config.ts'
import { createCore } from '../../infra/runtime/core.ts'
import { openStores } from '../../infra/stores/open.ts'
import { createContact } from '../people.ts'

/**
 * Creates contacts by command, without HTTP and read models. Takes a new data directory, the number of commands in flight, and
 * seconds; prints `{"perSecond":…}`. The programs in bench/peers do the same.
 */
const [, , directory, inFlight, seconds] = process.argv
const WARM_UP_MS = 1000

const stores = await openStores(readConfig({ MILLRACE_DATA: directory }))
const { engine, ids } = await createCore(stores)
let n = 0

const once = async (): Promise<void> => {
  const cause = randomUUID()
  const id = ids.next('contact')
  const outcome = await engine.transact({
    aggregate: contacts,
    id,
    command: createContact(id, n++),
    isNew: true,
    teamId: 1,
    workspaceId: 1,
    causationId: cause,
    correlationId: cause,
  })
  if (outcome instanceof Refusal) throw outcome
}

/** Keeps commands in flight until a time. @returns how many were executed */
const until = async (end: number): Promise<number> => {
  let done = 0
  const lane = async () => {
    for (; performance.now() < end; done++) await once()
  }
  await Promise.all(Array.from({ length: Number(inFlight) }, lane))
  return done
}

await until(performance.now() + WARM_UP_MS)
const started = performance.now()
const done = await until(started + Number(seconds) * 1000)
const perSecond = (done * 1000) / (performance.now() - started)
await stores.close()
process.stdout.write(`${JSON.stringify({ perSecond })}\n`)
