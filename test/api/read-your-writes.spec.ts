import { expect } from 'chai'
import { findAfterCatchUp, READ_YOUR_WRITES_MS, retryAfterCatchUp } from '../../api/read-your-writes.ts'
import { type Refusal, refuse } from '../../domain/kernel/values/refusal.ts'

/** Read models at one position of a log that ends at another. They reach it when waited for only if `comes`. */
const behind = (comes: boolean, position = 5) => {
  const waits: (readonly [number, number])[] = []
  return {
    waits,
    log: { lastPosition: async () => 7 } as Parameters<typeof findAfterCatchUp>[0]['log'],
    progress: {
      position,
      async reached(position: number, timeoutMs: number) {
        waits.push([position, timeoutMs])
        return comes
      },
    },
  }
}

describe('a missing record', () => {
  it('is read again when all earlier writes are readable', async () => {
    const parts = behind(true)
    const looks = [undefined, 'late']
    expect(await findAfterCatchUp(parts, () => looks.shift())).to.equal('late')
    expect(parts.waits).to.deep.equal([[7, READ_YOUR_WRITES_MS]])
    expect(await findAfterCatchUp(parts, () => undefined)).to.equal(undefined)
  })

  it('is not waited for when it is there', () => {
    const parts = behind(false)
    expect(findAfterCatchUp(parts, () => 'there')).to.equal('there')
    expect(parts.waits).to.deep.equal([])
  })

  it('is not reported as missing while that is uncertain', async () => {
    const refusal = await Promise.resolve(findAfterCatchUp(behind(false), () => undefined)).catch(
      (error: Refusal) => error,
    )
    expect(refusal).to.include({ kind: 'unavailable', retryAfter: 1 })
  })
})

describe('a write that is refused for a missing reference', () => {
  /** An action that fails with these refusals in turn, and then succeeds. */
  const act = (refusals: Refusal[]) => async () => {
    const refusal = refusals.shift()
    if (refusal) throw refusal
    return 'done'
  }
  const outcome = (acting: Promise<string>) => acting.catch(({ kind }: Refusal) => kind)
  const missing = refuse.invalid('Tag must exist', 'tag_id', 'not_found')

  it('is repeated when all earlier writes are readable', async () => {
    const parts = behind(true)
    expect(await outcome(retryAfterCatchUp(parts, act([missing])))).to.equal('done')
    expect(parts.waits).to.deep.equal([[7, READ_YOUR_WRITES_MS]])
    expect(await outcome(retryAfterCatchUp(parts, act([missing, missing])))).to.equal('invalid')
  })

  it('is refused at once when they were readable already, and for any other reason', async () => {
    const parts = behind(true, 7)
    expect(await outcome(retryAfterCatchUp(parts, act([missing])))).to.equal('invalid')
    expect(await outcome(retryAfterCatchUp(behind(true), act([refuse.conflict('taken')])))).to.equal('conflict')
    expect(parts.waits).to.deep.equal([])
  })

  it('is not refused while that is uncertain', async () => {
    expect(await outcome(retryAfterCatchUp(behind(false), act([missing])))).to.equal('unavailable')
  })
})
