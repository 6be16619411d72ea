import { expect } from 'chai'
import type { Blobs } from '../../domain/kernel/ports/blobs.ts'

/** Blobs under test. */
export interface OpenBlobs {
  readonly blobs: Blobs
  /** Opens the same blobs as another process would. */
  reopen(): Promise<Blobs>
  cleanup(): Promise<void>
}

const NAME = 'contacts/export_action-7'

const textOf = async (blobs: Blobs, name: string, part: number): Promise<string> => {
  const pieces: Uint8Array[] = []
  for await (const piece of blobs.read(name, part)) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

const failed = async (attempt: () => Promise<unknown>): Promise<string> => {
  try {
    await attempt()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('did not fail')
}

/** Contract of all blob stores. @param open called before each test */
export function blobsContract(name: string, open: () => Promise<OpenBlobs>): void {
  describe(`${name} as blobs`, () => {
    let current: OpenBlobs
    beforeEach(async () => {
      current = await open()
    })
    afterEach(() => current.cleanup())

    it('give back the parts that were written, also to another process', async () => {
      const { blobs } = current
      await blobs.write(NAME, 0, ['one\n', Buffer.from('two 🎉\n')])
      await blobs.write(NAME, 200, [])
      await blobs.write('contacts/export_action-70', 0, ['other'])
      const again = await current.reopen()
      expect(await textOf(again, NAME, 0)).to.equal('one\ntwo 🎉\n')
      expect(await textOf(again, NAME, 200)).to.equal('')
      expect(await textOf(again, 'contacts/export_action-70', 0)).to.equal('other')
    })

    it('take large parts in pieces', async () => {
      const { blobs } = current
      const lines = Array.from({ length: 5000 }, (_, n) => `${n} ${'x'.repeat(100)}\n`)
      await blobs.write(NAME, 0, lines)
      expect(await textOf(blobs, NAME, 0)).to.equal(lines.join(''))
    })

    it('report whether a part exists, and fail to read a missing one', async () => {
      const { blobs } = current
      expect(await blobs.has(NAME, 0)).to.equal(false)
      await failed(() => textOf(blobs, NAME, 0))
      await blobs.write(NAME, 0, ['one'])
      expect([await blobs.has(NAME, 0), await blobs.has(NAME, 1)]).to.deep.equal([true, false])
      await failed(() => textOf(blobs, NAME, 1))
    })

    it('replace a part, while a reader of the old one continues to read it', async () => {
      const { blobs } = current
      const long = 'a'.repeat(1_000_000)
      await blobs.write(NAME, 0, [long])
      const reading = blobs.read(NAME, 0)[Symbol.asyncIterator]()
      let read = Buffer.from((await reading.next()).value as Uint8Array).toString()
      await blobs.write(NAME, 0, ['new'])
      for (let next = await reading.next(); !next.done; next = await reading.next())
        read += Buffer.from(next.value).toString()
      expect(read).to.equal(long)
      expect(await textOf(blobs, NAME, 0)).to.equal('new')
    })

    it('keep the old part when its replacement breaks off', async () => {
      const { blobs } = current
      await blobs.write(NAME, 0, ['whole'])
      const broken = function* () {
        yield 'x'.repeat(200_000)
        throw new Error('no more')
      }
      expect(await failed(() => blobs.write(NAME, 0, broken()))).to.equal('no more')
      expect(await failed(() => blobs.write(NAME, 1, broken()))).to.equal('no more')
      expect(await textOf(blobs, NAME, 0)).to.equal('whole')
      expect(await blobs.has(NAME, 1)).to.equal(false)
    })

    it('remove a blob with all its parts, and no other, also repeatedly', async () => {
      const { blobs } = current
      for (const part of [0, 200, 400]) await blobs.write(NAME, part, ['gone'])
      await blobs.write('contacts/export_action-70', 0, ['stays'])
      for (let time = 0; time < 2; time++) {
        await blobs.remove(NAME)
        for (const part of [0, 200, 400]) expect(await blobs.has(NAME, part)).to.equal(false)
      }
      await blobs.remove('contacts/other_action-1')
      expect(await textOf(blobs, 'contacts/export_action-70', 0)).to.equal('stays')
    })

    it('remove a single part, and leave the others', async () => {
      const { blobs } = current
      for (const part of [0, 1, 10]) await blobs.write(NAME, part, [String(part)])
      for (const part of [1, 1, 2]) await blobs.remove(NAME, part)
      const left = await Promise.all([0, 1, 10].map((part) => blobs.has(NAME, part)))
      expect(left).to.deep.equal([true, false, true])
      await blobs.remove('contacts/export_action-71', 0)
    })

    it('take several parts at once, and the same one', async () => {
      const { blobs } = current
      const writes = Array.from({ length: 20 }, (_, n) => blobs.write(NAME, n % 10, [`part ${n % 10}`]))
      await Promise.all(writes)
      for (let part = 0; part < 10; part++) expect(await textOf(blobs, NAME, part)).to.equal(`part ${part}`)
    })

    for (const odd of ['', '../secret-1', 'contacts/../secret-1', '/etc/passwd-1', 'contacts', 'contacts/a-1/b', 'A-1'])
      it(`refuse ${JSON.stringify(odd)} as a name`, async () => {
        const { blobs } = current
        for (const attempt of [
          () => blobs.write(odd, 0, ['x']),
          () => blobs.has(odd, 0),
          () => textOf(blobs, odd, 0),
          () => blobs.remove(odd),
        ])
          expect(await failed(attempt)).to.include('not the name of a blob')
      })
  })
}
