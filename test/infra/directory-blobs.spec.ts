import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { copyBlobs } from '../../infra/blobs/copy.ts'
import { directoryBlobs } from '../../infra/blobs/directory.ts'
import { StorageUnavailable } from '../../infra/sqlite/failures.ts'
import { blobsContract } from './blobs.contract.ts'
import { temporaryDirectory } from './temporary-directory.ts'

blobsContract('a directory', async () => {
  const { path, remove } = temporaryDirectory()
  const root = join(path, 'blobs')
  return { blobs: directoryBlobs(root), reopen: async () => directoryBlobs(root), cleanup: async () => remove() }
})

describe('a directory of blobs', () => {
  let place: ReturnType<typeof temporaryDirectory>
  beforeEach(() => {
    place = temporaryDirectory()
  })
  afterEach(() => place.remove())

  const filesIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()

  it('is for its owner alone, and has a file a part', async () => {
    const root = join(place.path, 'data', 'blobs')
    await directoryBlobs(root).write('contacts/export_action-7', 200, ['x'])
    expect(filesIn(root)).to.deep.equal(['contacts', 'contacts/export_action-7', 'contacts/export_action-7/200'])
    for (const [name, mode] of [
      ['', 0o700],
      ['contacts/export_action-7', 0o700],
      ['contacts/export_action-7/200', 0o600],
    ] as const)
      expect(statSync(join(root, name)).mode & 0o777, name).to.equal(mode)
  })

  it('takes away what a kill has left of parts', async () => {
    const blobs = directoryBlobs(place.path)
    await blobs.write('contacts/export_action-7', 0, ['x'])
    writeFileSync(join(place.path, 'contacts/export_action-7/200.left.draft'), 'half')
    expect(await blobs.has('contacts/export_action-7', 200)).to.equal(false)
    await blobs.remove('contacts/export_action-7')
    expect(filesIn(place.path)).to.deep.equal(['contacts'])
  })

  it('is copied without what is being written', async () => {
    const [from, to] = [join(place.path, 'from'), join(place.path, 'to')]
    mkdirSync(to)
    copyBlobs(from, to)
    expect(readdirSync(to)).to.deep.equal([])
    await directoryBlobs(join(from, 'blobs')).write('contacts/export_action-7', 0, ['x'])
    writeFileSync(join(from, 'blobs/contacts/export_action-7/200.left.draft'), 'half')
    copyBlobs(from, to)
    expect(filesIn(to)).to.deep.equal([
      'blobs',
      'blobs/contacts',
      'blobs/contacts/export_action-7',
      'blobs/contacts/export_action-7/0',
    ])
  })

  it('reports a full disk as temporary', async () => {
    const noRoom = function* () {
      yield 'x'
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    }
    try {
      await directoryBlobs(place.path).write('contacts/export_action-7', 0, noRoom())
    } catch (error) {
      expect(error).to.be.instanceOf(StorageUnavailable)
      return
    }
    throw new Error('was written')
  })
})
