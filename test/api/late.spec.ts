import { expect } from 'chai'
import { orLate, READ_YOUR_WRITES_MS } from '../../api/handlers/late.ts'
import type { Refusal } from '../../domain/kernel/refusal.ts'

/** Read models at one position of a log that ends at another; they come there when that is waited for, or not. */
const behind = (comes: boolean) => {
  const waits: (readonly [number, number])[] = []
  return {
    waits,
    log: { lastPosition: async () => 7 } as Parameters<typeof orLate>[0]['log'],
    progress: {
      async reached(position: number, timeoutMs: number) {
        waits.push([position, timeoutMs])
        return comes
      },
    },
  }
}

describe('what is not there', () => {
  it('is looked for again when all that was written before is readable', async () => {
    const parts = behind(true)
    const looks = [undefined, 'late']
    expect(await orLate(parts, () => looks.shift())).to.equal('late')
    expect(parts.waits).to.deep.equal([[7, READ_YOUR_WRITES_MS]])
    expect(await orLate(parts, () => undefined)).to.equal(undefined)
  })

  it('is not waited for when it is there', () => {
    const parts = behind(false)
    expect(orLate(parts, () => 'there')).to.equal('there')
    expect(parts.waits).to.deep.equal([])
  })

  it('is not called missing while that cannot be told', async () => {
    const refusal = await Promise.resolve(orLate(behind(false), () => undefined)).catch((error: Refusal) => error)
    expect(refusal).to.include({ kind: 'unavailable', retryAfter: 1 })
  })
})
