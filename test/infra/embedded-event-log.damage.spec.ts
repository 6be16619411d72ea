import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { open } from 'lmdb'
import { openEmbeddedLog } from '../../infra/event-log/embedded/embedded-store.ts'
import { collect, events } from './event-log/setting.ts'
import { temporaryDirectory } from './temporary-directory.ts'

describe('The embedded log, given a directory that is not in order', () => {
  let directory: ReturnType<typeof temporaryDirectory>
  let path: string
  let file: string
  beforeEach(() => {
    directory = temporaryDirectory()
    path = join(directory.path, 'log')
    file = join(path, 'data.mdb')
  })
  afterEach(() => directory.remove())

  async function filled(count: number): Promise<void> {
    const log = await openEmbeddedLog(path)
    for (let n = 0; n < count; n += 500) await log.append({ stream: `s-${n}`, expected: -1, events: events(500) })
    await log.close()
  }

  async function refusal(): Promise<string> {
    const before = createHash('sha256').update(readFileSync(file)).digest('hex')
    const error = await openEmbeddedLog(path).then(
      () => undefined,
      (thrown: Error) => thrown,
    )
    expect(error).to.be.an('error')
    expect(createHash('sha256').update(readFileSync(file)).digest('hex')).to.equal(before)
    return error!.message
  }

  it('creates the directory for its owner alone', async () => {
    await filled(0)
    expect(statSync(path).mode & 0o777).to.equal(0o700)
  })

  it('refuses a directory of something else', async () => {
    mkdirSync(path)
    writeFileSync(join(path, 'holiday.jpg'), 'x')
    const error = await openEmbeddedLog(path).catch((thrown: Error) => thrown)
    expect(error).to.have.property('message').that.includes(path).and.includes('holiday.jpg').and.includes('backup')
  })

  it('refuses to start anew where the log has lost its file', async () => {
    await filled(500)
    rmSync(file)
    const error = await openEmbeddedLog(path).catch((thrown: Error) => thrown)
    expect(error).to.have.property('message').that.includes(path).and.includes('no data.mdb')
  })

  it('refuses what is no database, or no file', async () => {
    mkdirSync(path)
    for (const content of ['this is not a database', 'y'.repeat(100_000)]) {
      writeFileSync(file, content)
      expect(await refusal())
        .to.include(file)
        .and.include('not an event log')
        .and.include('backup')
    }
    rmSync(file)
    mkdirSync(file)
    const error = await openEmbeddedLog(path).catch((thrown: Error) => thrown)
    expect(error).to.have.property('message').that.includes(file).and.includes('not a file')
  })

  it('refuses the database of another program', async () => {
    const other = open({ path, maxDbs: 4 })
    await other.openDB({ name: 'meta' }).put('identity', { product: 'something else', format: 1 })
    await other.openDB({ name: 'notes' }).put('a', 'b')
    await other.close()
    expect(await refusal())
      .to.include(file)
      .and.include('another program')
  })

  it('refuses a log of another format', async () => {
    await filled(500)
    const raw = open({ path, maxDbs: 16 })
    const meta = raw.openDB({ name: 'meta' })
    await meta.put('identity', { ...meta.get('identity'), format: 2 })
    await raw.close()
    expect(await refusal())
      .to.include(file)
      .and.include('format 2')
      .and.include('version of Millrace that wrote it')
  })

  it('refuses a file that has been cut short', async () => {
    await filled(10_000)
    truncateSync(file, Math.floor(statSync(file).size / 2))
    expect(await refusal())
      .to.include(file)
      .and.include('cut short')
      .and.include('backup')
  })

  it('refuses a log whose last event cannot be read', async () => {
    await filled(500)
    await overwrite(499)
    expect(await refusal())
      .to.include(path)
      .and.include('event 499')
      .and.include('backup')
  })

  it('says which event is damaged when it comes to read it, and serves the others', async () => {
    await filled(1000)
    await overwrite(700)
    const log = await openEmbeddedLog(path)
    const error = await collect(log.readAll()).catch((thrown: Error) => thrown)
    expect(error).to.have.property('message').that.includes(path).and.includes('event 700').and.includes('backup')
    expect(await collect(log.readAll({ limit: 700 }))).to.have.length(700)
    const errors: unknown[] = []
    const subscription = log.subscribe(() => {}, { onError: (thrown) => errors.push(thrown) })
    while (errors.length === 0) await new Promise(setImmediate)
    expect(errors[0]).to.have.property('message').that.includes('event 700')
    await subscription.close()
    await log.close()
  })

  it('opens a log that has been copied elsewhere', async () => {
    await filled(1000)
    const copy = join(directory.path, 'copy')
    mkdirSync(copy)
    writeFileSync(join(copy, 'data.mdb'), readFileSync(file))
    const log = await openEmbeddedLog(copy)
    expect(await collect(log.readAll())).to.have.length(1000)
    await log.close()
  })

  async function overwrite(position: number): Promise<void> {
    const raw = open({ path, maxDbs: 16 })
    const table = raw.openDB<Buffer, number>({ name: 'events', keyEncoding: 'uint32', encoding: 'binary' })
    await table.put(position, Buffer.from([0xc1, 0xff, 0x00]))
    await raw.close()
  }
})
