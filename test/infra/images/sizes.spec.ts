import { expect } from 'chai'
import { LRUCache } from 'lru-cache'
import type { Blobs } from '../../../domain/kernel/ports/blobs.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { blobOf, partOf } from '../../../domain/media/files.ts'
import { NoTurn } from '../../../infra/fair-turns.ts'
import type { ImageMade } from '../../../infra/images/decoder/task.ts'
import type { ImageDecoding } from '../../../infra/images/decoding.ts'
import { sizesOf } from '../../../infra/images/sizes.ts'
import { uploadsTo } from '../../../infra/images/uploads.ts'

const IMAGE = { id: 7, file: 9, type: 'image/jpeg', workspaceId: 3 }
const MADE: ImageMade = { content: Buffer.from('made'), type: 'image/jpeg', unscaled: false }
const STAND_IN = { part: partOf(9), type: 'image/jpeg', isStandIn: true }
const SMALL = { part: partOf(9, 'small'), type: 'image/jpeg', isStandIn: false }

const blobsInMemory = () => {
  const parts = new Map<string, Buffer>([[`${blobOf(7)}/${partOf(9)}`, Buffer.from('original')]])
  const blobs: Blobs = {
    async write(name, part, content) {
      parts.set(`${name}/${part}`, Buffer.concat([...content].map((piece) => Buffer.from(piece))))
    },
    has: async (name, part) => parts.has(`${name}/${part}`),
    async *read(name, part) {
      yield parts.get(`${name}/${part}`)!
    },
    remove: async () => undefined,
  }
  return { blobs, parts }
}

/** Decoding that answers with these results, one after the other, and counts. */
const answering = (...results: readonly (ImageMade | undefined | Error)[]) => {
  let asked = 0
  const decoding: ImageDecoding = {
    clean: async () => MADE,
    check: async () => false,
    async resize(_workspaceId, load) {
      await load()
      const result = results[asked]
      asked += 1
      if (result instanceof Error) throw result
      return result
    },
    close: async () => undefined,
  }
  return { decoding, asked: () => asked }
}

const failedSizes = () => new LRUCache<string, true>({ max: 100 })

describe('sizes of images', () => {
  it('are made once for everybody who asks, and stored', async () => {
    const { blobs, parts } = blobsInMemory()
    const { decoding, asked } = answering(MADE)
    const sized = sizesOf({ blobs, decoding, failed: failedSizes() })
    const found = await Promise.all(Array.from({ length: 9 }, () => sized(IMAGE, 'small')))
    expect(found).to.deep.equal(Array(9).fill(SMALL))
    expect(await sized(IMAGE, 'small')).to.deep.equal(SMALL)
    expect(String(parts.get(`${blobOf(7)}/${SMALL.part}`))).to.equal('made')
    expect(asked()).to.equal(1)
  })

  it('that failed are not tried again: the original stands in for them', async () => {
    const { decoding, asked } = answering(undefined)
    const sized = sizesOf({ blobs: blobsInMemory().blobs, decoding, failed: failedSizes() })
    for (let time = 0; time < 5; time++) expect(await sized(IMAGE, 'small')).to.deep.equal(STAND_IN)
    expect(asked()).to.equal(1)
  })

  it('that had no turn are tried again', async () => {
    const { decoding, asked } = answering(new NoTurn('too long'), MADE)
    const sized = sizesOf({ blobs: blobsInMemory().blobs, decoding, failed: failedSizes() })
    expect(await sized(IMAGE, 'small')).to.deep.equal(STAND_IN)
    expect(await sized(IMAGE, 'small')).to.deep.equal(SMALL)
    expect(asked()).to.equal(2)
  })

  it('of an upload that cannot be scaled are not tried at all', async () => {
    const { blobs } = blobsInMemory()
    const { decoding, asked } = answering()
    const deps = { blobs, decoding, failed: failedSizes() }
    const outbound = { get: async () => ({ kind: 'fetched', content: Buffer.from('sent') }) as const }
    const take = uploadsTo({ ...deps, outbound })
    const source = { url: 'https://example.com/', workspaceId: 3, blob: blobOf(7), part: partOf(9) }
    expect(await take(source)).to.deep.equal({ content_type: 'image/jpeg' })
    for (const size of ['thumbnail', 'x-large'] as const)
      expect(await sizesOf(deps)(IMAGE, size)).to.deep.equal(STAND_IN)
    expect(asked()).to.equal(0)
  })

  it('wait, and so do uploads, which are refused for now when there are too many', async () => {
    const deps = { blobs: blobsInMemory().blobs, decoding: answering().decoding, failed: failedSizes() }
    let fetching = 0
    const outbound = {
      get: () => {
        fetching += 1
        return new Promise<never>(() => undefined)
      },
    }
    const take = uploadsTo({ ...deps, outbound })
    const source = { url: 'https://example.com/', workspaceId: 3, blob: blobOf(7), part: partOf(9) }
    for (let number = 0; number < 103; number++) void take(source)
    await new Promise((resolve) => setImmediate(resolve))
    expect(fetching).to.equal(3)
    const error: unknown = await take(source).catch((refused) => refused)
    expect(error).to.be.instanceOf(Refusal).and.to.include({ kind: 'unavailable', retryAfter: 10 })
  })
})
