import { expect } from 'chai'
import { csvOf } from '../../../api/public/csv.ts'
import { serializeRows } from '../../../domain/resources/jobs/target-file.ts'
import { MemoryBlobs } from '../../support/memory/blobs.ts'

const NAME = 'contacts/export_action-7'

/** Opens the texts that `row` sealed. Person 13 is erased. */
const vault = {
  open: (person: number, sealed: string) =>
    person === 13 ? null : JSON.parse(Buffer.from(sealed, 'base64url').toString()),
}

const row = (person: number, ...cells: unknown[]) => ({
  person,
  sealed: Buffer.from(JSON.stringify({ row: [person, ...cells] })).toString('base64url'),
})

describe('a file that is downloaded', () => {
  let blobs: MemoryBlobs
  beforeEach(() => {
    blobs = new MemoryBlobs()
  })

  /** Reads the CSV text. @param pieces size in bytes of the pieces in which a part is read */
  const text = async (pieces = 1_000_000): Promise<string> => {
    const slowly = {
      async *read(name: string, part: number) {
        for await (const whole of blobs.read(name, part))
          for (let at = 0; at < whole.length; at += pieces) yield whole.subarray(at, at + pieces)
      },
    }
    let read = ''
    for await (const piece of csvOf({ blobs: slowly, vault }, NAME, ['Id', 'Name'])) read += piece
    expect(read.charCodeAt(0)).to.equal(0xfeff)
    return read.slice(1)
  }

  it('is its parts one after the other, read in pieces of any size', async () => {
    await blobs.write(NAME, 0, serializeRows([row(1, 'Ada'), row(2, 'Bób')], 200))
    await blobs.write(NAME, 200, serializeRows([], 400))
    await blobs.write(NAME, 400, serializeRows([row(401, 'Cleo')], 0))
    for (const pieces of [1, 7, 1_000_000])
      expect(await text(pieces)).to.equal('Id,Name\r\n1,Ada\r\n2,Bób\r\n401,Cleo\r\n')
  })

  it('has only its header when no contact was selected', async () => {
    await blobs.write(NAME, 0, serializeRows([], 0))
    expect(await text()).to.equal('Id,Name\r\n')
  })

  it('leaves out erased contacts', async () => {
    await blobs.write(NAME, 0, serializeRows([row(12, 'Ada'), row(13, 'Bob'), row(14, 'Cleo')], 0))
    expect(await text()).to.equal('Id,Name\r\n12,Ada\r\n14,Cleo\r\n')
  })

  it('skips parts of an interrupted run that are not in the chain', async () => {
    await blobs.write(NAME, 0, serializeRows([row(1), row(200)], 200))
    await blobs.write(NAME, 200, serializeRows([row(201), row(400)], 400))
    // A contact left the audience before the first page was repeated.
    await blobs.write(NAME, 0, serializeRows([row(1), row(201)], 201))
    await blobs.write(NAME, 201, serializeRows([row(202)], 0))
    expect(await text()).to.equal('Id,Name\r\n1\r\n201\r\n202\r\n')
  })

  it('breaks off where a part is missing, or leads nowhere', async () => {
    const broken = async (): Promise<string> => {
      try {
        await text()
      } catch (error) {
        return (error as Error).message
      }
      throw new Error('looked whole')
    }
    await blobs.write(NAME, 0, serializeRows([row(1)], 200))
    expect(await broken()).to.include('has no part 200')
    for (const odd of ['', '200\n', '100\n', 'x\n']) {
      await blobs.write(NAME, 200, [odd])
      expect(await broken(), odd).to.include('does not say how it goes on')
    }
  })
})
