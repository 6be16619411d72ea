import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { directoryBlobs } from '../../infra/blobs/directory.ts'
import { controlSocketOf } from '../../infra/data-directory/claim.ts'
import { millrace, type Spawned, spawnMillrace } from '../support/millrace.ts'
import { temporaryDirectory } from './temporary-directory.ts'

describe('Files and sockets, whatever the umask', () => {
  let temporary: ReturnType<typeof temporaryDirectory>
  let data: string
  let umask: number
  let service: Spawned | undefined
  beforeEach(() => {
    temporary = temporaryDirectory()
    data = join(temporary.path, 'data')
    umask = process.umask(0)
  })
  afterEach(async () => {
    process.umask(umask)
    await service?.stop()
    service = undefined
    temporary.remove()
  })

  /** Everything below a directory, and the directory itself, that others than its owner could read, write or enter. */
  const openIn = (directory: string): readonly string[] =>
    ['', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })]
      .filter((name) => existsSync(join(directory, name)))
      .filter((name) => (lstatSync(join(directory, name)).mode & 0o077) !== 0)

  it('are those of their owner alone: data, backups and archives', async () => {
    service = await spawnMillrace(data, { MILLRACE_DEMO: '1' })
    const socket = statSync(controlSocketOf(data))
    expect(socket.isSocket()).to.equal(true)
    expect(socket.mode & 0o777).to.equal(0o600)
    expect(statSync(data).mode & 0o777).to.equal(0o700)
    await directoryBlobs(join(data, 'blobs')).write('contacts/export_action-7', 0, ['text'])
    expect(readdirSync(data)).to.include.members(['secret', 'millrace.json', 'blobs'])
    expect(openIn(data)).to.deep.equal([])

    const backup = join(temporary.path, 'backup')
    expect((await millrace(['backup', backup, '--data', data])).code).to.equal(0)
    expect(readdirSync(join(backup, 'log'))).to.include.members(['blobs', 'millrace.json'])
    expect(openIn(backup)).to.deep.equal([])

    const archives = ['new.ndjson', 'there.ndjson'].map((name) => join(temporary.path, name))
    writeFileSync(archives[1]!, 'readable by everybody')
    for (const archive of archives) {
      expect((await millrace(['events', 'export', '--archive', archive, '--data', data])).code).to.equal(0)
      expect(statSync(archive).mode & 0o777, archive).to.equal(0o600)
    }
  })

  it('are closed at the start where they were open', async () => {
    await (await spawnMillrace(data)).stop()
    const blobs = join(data, 'blobs')
    mkdirSync(blobs, { recursive: true })
    const files = readdirSync(data).filter((name) => lstatSync(join(data, name)).isFile())
    for (const name of files) chmodSync(join(data, name), 0o644)
    for (const directory of [data, blobs]) chmodSync(directory, 0o777)
    expect(openIn(data)).to.have.length.above(4)
    service = await spawnMillrace(data)
    expect(openIn(data)).to.deep.equal([])
  })

  it('are closed also where the socket has to lie elsewhere, because the path is too long', async () => {
    const far = join(temporary.path, 'long'.repeat(30), 'name'.repeat(30))
    service = await spawnMillrace(far)
    const socket = controlSocketOf(far)
    expect(socket.startsWith(far)).to.equal(false)
    expect(statSync(socket).mode & 0o777).to.equal(0o600)
    await service.stop()
    rmSync(join(socket, '..'), { recursive: true })
  })
})
