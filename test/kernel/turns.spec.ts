import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { expect } from 'chai'
import type { ApiContext } from '../../api/http/context.ts'
import { sendText } from '../../api/http/send-text.ts'
import { getInTurns } from '../../domain/kernel/ports/get-in-turns.ts'
import { timeSlices } from '../../domain/kernel/values/turns.ts'

/** Time that one step takes: all of one work are less than a slice, so that none pauses for its own sake. */
const STEP_MS = 2
const STEPS = 3
const COUNT = 20

const work = (): void => {
  for (const begun = performance.now(); performance.now() - begun < STEP_MS; );
}

/** Counts the turns that others get during some work. */
const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
  let turns = 0
  const counting = setInterval(() => turns++, 0)
  await work().finally(() => clearInterval(counting))
  return turns
}

describe('long work', () => {
  it('shares the slice of a turn, however many begin together', async () => {
    const one = async () => {
      const slice = timeSlices()
      for (let step = 0; step < STEPS; step++) {
        work()
        const turn = slice()
        if (turn) await turn
      }
    }
    const turns = await turnsDuring(() => Promise.all(Array.from({ length: COUNT }, one)))
    expect(turns).to.be.greaterThan(1)
  })

  it('leaves others their turns between documents that each take little', async () => {
    const getMany = (_: string, ids: readonly (number | string)[]) => {
      for (const _ of ids) work()
      return ids.map((id) => ({ id }))
    }
    const ids = Array.from({ length: COUNT }, (_, index) => index)
    const turns = await turnsDuring(async () => {
      const found = await getInTurns({ getMany }, 'thing', ids, 1)
      expect(found.map((one) => one?.id)).to.deep.equal(ids)
    })
    expect(turns).to.be.greaterThan(1)
  })

  it('leaves others their turns while a reader takes all of a large page at once', async () => {
    const sent: string[] = []
    const res = new Writable({
      write(part, _, done) {
        work()
        sent.push(String(part))
        done()
      },
    })
    const ctx = { res: Object.assign(res, { writeHead: () => res }), state: { headers: [] } }
    const parts = Array.from({ length: COUNT }, (_, index) => Buffer.from(`${index},`))
    const turns = await turnsDuring(async () => {
      sendText(ctx as unknown as ApiContext, 200, parts)
      await finished(res)
    })
    expect(sent.join('')).to.equal(parts.join(''))
    expect(turns).to.be.greaterThan(1)
  })
})
