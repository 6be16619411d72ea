import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { credential } from '../../domain/account/public.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { readSecret } from '../../infra/data-directory/secret.ts'
import { openReadOnly } from '../../infra/log-db/open-reader.ts'
import { verify } from '../../infra/upkeep/verify.ts'
import { allDocuments, countOf, type Documents, documentsOnDisk, expectSameDocuments } from '../support/documents.ts'
import { openBackground } from '../support/filled.ts'
import { caughtUp } from './caught-up.ts'
import { type HowToStart, type ServiceProcess, startServiceProcess, targetOf } from './service-process.ts'

/** Copies an unused directory, so that the checks here keep none of its files open when a test damages them later. */
const copyOf = (data: string): string => {
  const copy = mkdtempSync(join(tmpdir(), 'millrace-copy-'))
  cpSync(data, copy, { recursive: true, filter: (name) => !name.endsWith('.sock') && !name.includes('control.pid') })
  return copy
}

/** All events of an unused directory. Expects positions without a gap. */
export const eventsOf = async (data: string): Promise<readonly RecordedEvent[]> => {
  const copy = copyOf(data)
  const store = openReadOnly(copy)
  const events: RecordedEvent[] = []
  for await (const event of store.log.readAll()) events.push(event)
  await store.close()
  rmSync(copy, { recursive: true })
  expect(events.map(({ position }) => position)).to.deep.equal(events.map((_, position) => position))
  return events
}

export const eventsIn = (lines: string): RecordedEvent[] =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedEvent)

/** The documents of an unused directory, and those that a rebuild from its log gives. */
const documentsOf = async (data: string): Promise<readonly [live: Documents, rebuilt: Documents]> => {
  const copy = copyOf(data)
  const live = await documentsOnDisk(copy)
  const background = await openBackground(copy)
  await background.rebuild(() => {})
  const rebuilt = await allDocuments(background.stores.readModels.live)
  await background.stop()
  rmSync(copy, { recursive: true })
  return [live, rebuilt]
}

/** Waits until a service has caught up, stops it, and compares its documents with a rebuild's. @returns them */
export const expectDocumentsOfLog = async (life: ServiceProcess, data: string): Promise<Documents> => {
  await caughtUp(life.url)
  expect(await life.stop()).to.equal(0)
  const [live, rebuilt] = await documentsOf(data)
  expect(countOf(live)).to.be.greaterThan(0)
  expectSameDocuments(live, rebuilt)
  return rebuilt
}

/** Leaves out how people sign in: as long as nobody has, each start gives the first owner another link. */
const withoutLinks = (documents: Documents): Documents => new Map([...documents, [credential.name, new Map()]])

/** Waits until a service has caught up, stops it, and compares its documents with the expected ones. */
export const expectDocuments = async (life: ServiceProcess, data: string, expected: Documents): Promise<void> => {
  await caughtUp(life.url)
  expect(await life.stop()).to.equal(0)
  const copy = copyOf(data)
  expectSameDocuments(withoutLinks(await documentsOnDisk(copy)), withoutLinks(expected))
  rmSync(copy, { recursive: true })
}

/** Expects that `millrace verify` finds no fault in an unused directory. */
export const expectVerified = async (data: string): Promise<void> => {
  const copy = copyOf(data)
  const findings: string[] = []
  for await (const found of verify({ data: copy }, readSecret(copy)))
    if ('finding' in found) findings.push(found.finding)
  rmSync(copy, { recursive: true })
  expect(findings).to.deep.equal([])
}

const WRITE_AHEAD = ['-wal', '-shm']

/** Copies one database file together with its write-ahead log. */
export const copyDatabase = (from: string, to: string): void => {
  removeDatabase(to)
  for (const end of ['', ...WRITE_AHEAD]) if (existsSync(from + end)) copyFileSync(from + end, to + end)
}

export const removeDatabase = (file: string): void => {
  for (const end of ['', ...WRITE_AHEAD]) rmSync(file + end, { force: true })
}

/** Copies these database files, and the files that belong to this directory alone. */
export const copyFiles = (from: string, to: string, names: readonly string[]): void => {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  for (const name of names) copyFileSync(join(from, name), join(to, name))
}

/** Starts a service on a new directory, with a workspace. */
export const firstLife = async (data: string, settings: HowToStart['settings'] & {} = {}) => {
  const life = await startServiceProcess(data, { settings })
  return { life, target: targetOf(life), token: life.ready.api_key! }
}
