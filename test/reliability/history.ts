import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { readSecret } from '../../infra/data-directory/secret.ts'
import { openReadOnly } from '../../infra/event-log/sqlite/open-reader.ts'
import { verify } from '../../infra/upkeep/verify.ts'
import { allDocuments, countOf, documentsOnDisk, expectSameDocuments } from '../support/documents.ts'
import { openBackground } from '../support/filled.ts'
import { caughtUp } from './caught-up.ts'
import { type HowToStart, type Life, startLife, targetOf } from './life.ts'

/** What the file of the log has, from and to a position. */
export const exported = async (
  data: string,
  { to = Number.POSITIVE_INFINITY }: { readonly to?: number } = {},
): Promise<readonly RecordedEvent[]> => {
  const store = openReadOnly(data)
  const events: RecordedEvent[] = []
  for await (const event of store.log.readAll({ limit: to + 1 })) events.push(event)
  await store.close()
  return events
}

export const eventsIn = (lines: string): RecordedEvent[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedEvent)

/** Stops a service that has caught up, and holds its documents against those of a rebuild. */
export const expectDocumentsOfLog = async (life: Life, data: string): Promise<void> => {
  await caughtUp(life.url)
  expect(await life.stop()).to.equal(0)
  const live = await documentsOnDisk(data)
  expect(countOf(live)).to.be.greaterThan(0)
  const background = await openBackground(data)
  await background.rebuild(() => {})
  expectSameDocuments(live, await allDocuments(background.stores.readModels.live))
  await background.stop()
}

/** What `millrace verify` says of a directory, but for its progress: nothing. */
export const expectVerified = async (data: string): Promise<void> => {
  const findings: string[] = []
  for await (const found of verify(data, readSecret(data))) if ('finding' in found) findings.push(found.finding)
  expect(findings).to.deep.equal([])
}

const WRITE_AHEAD = ['-wal', '-shm']

/** Copies one database file as it is, with what is in its write-ahead log. */
export const copyDatabase = (from: string, to: string): void => {
  removeDatabase(to)
  for (const end of ['', ...WRITE_AHEAD]) if (existsSync(from + end)) copyFileSync(from + end, to + end)
}

export const removeDatabase = (file: string): void => {
  for (const end of ['', ...WRITE_AHEAD]) rmSync(file + end, { force: true })
}

/** A file of each database, and what belongs to no other directory. */
export const copyFiles = (from: string, to: string, names: readonly string[]): void => {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of names) copyFileSync(join(from, name), join(to, name))
}

/** A workspace in a new directory, and the service that has it. */
export const firstLife = async (data: string, settings: HowToStart['settings'] & {} = {}) => {
  const life = await startLife(data, { settings })
  return { life, target: targetOf(life), token: life.ready.api_key! }
}
