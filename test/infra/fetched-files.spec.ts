import { expect } from 'chai'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { fetchedFiles } from '../../infra/files/take.ts'

const file = (workspaceId: number) => ({ url: 'https://example.com/', workspaceId, blob: 'download-1', part: 1 })
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('files that are fetched', () => {
  it('are few in memory at a time, and those of one workspace hold up no other', async () => {
    const ends: (() => void)[] = []
    const outbound = {
      get: () =>
        new Promise<{ readonly kind: 'fetched'; readonly content: Buffer }>((resolve) => {
          ends.push(() => resolve({ kind: 'fetched', content: Buffer.from('file') }))
        }),
    }
    const files = fetchedFiles(outbound, { write: async () => undefined })
    for (let number = 0; number < 52; number++) void files.take(file(1))
    await settled()
    expect(ends).to.have.length(2)
    const other = files.take(file(2))
    await settled()
    ends[2]!()
    expect(await other).to.deep.equal({ bytes: 4 })
    const error: unknown = await files.take(file(1)).catch((refused) => refused)
    expect(error).to.be.instanceOf(Refusal).and.to.include({ kind: 'unavailable' })
  })
})
