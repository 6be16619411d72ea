import { expect } from 'chai'
import { csvOf } from '../../../api/public/csv.ts'
import { exportAction } from '../../../domain/contacts/export-action.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { Json } from '../../../domain/kernel/values/event.ts'
import type { Job } from '../../../domain/resources/jobs/job.ts'
import { type RecordProcessor, rowsName, rowWriter } from '../../../workers/jobs/write-rows.ts'
import { BEGUN, type Progress } from '../../../workers/reactor/progress.ts'
import type { BatchTurn } from '../../../workers/reactor/reaction.ts'
import { MemoryBlobs } from '../../support/memory/blobs.ts'
import { OpenVault } from '../../support/projection.ts'

const job = exportAction as Extract<Job, { readonly file: unknown }>
const queued: Document = { id: 7, workspace_id: 3, fields: ['id', 'first_name'] }
const contact = (id: number, first_name: string, more: object = {}): Document => ({
  id,
  custom_attributes: {},
  deleted_at: null,
  redacted_email: null,
  personal: { first_name },
  ...more,
})
const upTo = (cursor: number): Progress => ({ ...BEGUN, cursor })

describe('writing the rows of a job', () => {
  let blobs: MemoryBlobs
  let kept: Json
  let people: Map<number, Document>
  beforeEach(() => {
    blobs = new MemoryBlobs()
    kept = null
    people = new Map([1, 2, 3, 4].map((id) => [id, contact(id, `Name ${id}`)]))
  })

  /** Starts the job. @param from its recorded progress */
  const begin = (from = BEGUN, vault = new OpenVault()): Promise<RecordProcessor> => {
    const turn: BatchTurn = {
      stopping: () => false,
      cursor: () => kept,
      saveCursor: async (value) => {
        kept = value
      },
    }
    const loader = () => ({ one: async (_: string, id: number | null | undefined) => people.get(Number(id)) })
    return rowWriter({ blobs, vault, loader }, turn, { job, queued, from })
  }
  const file = async (): Promise<string> => {
    let read = ''
    for await (const piece of csvOf({ blobs, vault: new OpenVault() }, rowsName(job, 7), [])) read += piece
    return read.replace('\ufeff\r\n', '').replaceAll('\r\n', ' ')
  }

  it('writes a part for each page, in the order of ids, before the progress of the page is stored', async () => {
    const doing = await begin()
    await Promise.all([2, 1].map(doing.perform))
    await doing.turn.saveCursor(upTo(2))
    expect([await blobs.has('contacts/export_action-7', 0), kept]).to.deep.equal([true, upTo(2)])
    await doing.perform(3)
    await doing.end()
    expect(await file()).to.equal('1,Name 1 2,Name 2 3,Name 3 ')
  })

  it('repeats a page whose progress was not stored, with the current contacts', async () => {
    const first = await begin()
    await first.perform(1)
    await first.turn.saveCursor(upTo(1))
    const kill = kept
    await first.perform(2)
    await first.turn.saveCursor(upTo(2))
    kept = kill
    people.set(2, contact(2, 'Changed'))
    const second = await begin()
    await Promise.all([2, 3].map(second.perform))
    await second.turn.saveCursor(upTo(3))
    await second.perform(4)
    await second.end()
    expect(await file()).to.equal('1,Name 1 2,Changed 3,Name 3 4,Name 4 ')
  })

  it('continues behind the recorded progress of the job when no cursor was stored', async () => {
    await (await begin()).turn.saveCursor(upTo(2))
    kept = null
    const doing = await begin(upTo(2))
    await doing.perform(3)
    await doing.end()
    expect(await file()).to.equal('3,Name 3 ')
  })

  it('says why somebody has no row', async () => {
    people.set(2, contact(2, 'Gone', { deleted_at: '2026-01-01T00:00:00.000Z' }))
    const doing = await begin()
    const reasons = await Promise.all([1, 2, 9].map(doing.perform))
    expect(reasons.map((reason) => reason !== undefined)).to.deep.equal([false, true, true])
    await doing.end()
    expect(await file()).to.equal('1,Name 1 ')
  })

  it('seals each row for the person it describes', async () => {
    const doing = await begin()
    await Promise.all([1, 2].map(doing.perform))
    await doing.end()
    const vault = new OpenVault()
    await vault.destroy(1)
    let read = ''
    for await (const piece of csvOf({ blobs, vault }, rowsName(job, 7), ['Id'])) read += piece
    expect(read).to.equal('\ufeffId\r\n2,Name 2\r\n')
  })
})
