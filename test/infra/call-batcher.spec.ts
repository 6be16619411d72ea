import { expect } from 'chai'
import { callBatcher } from '../../infra/call-batcher.ts'

/** Calls that the test answers. */
const calls = () => {
  const made: { readonly asked: readonly number[]; answer(): void; fail(error: Error): void }[] = []
  const call = (asked: readonly number[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      made.push({ asked, answer: () => resolve(asked.map(String)), fail: reject })
    })
  return { made, call }
}
const turn = () => new Promise((go) => setImmediate(go))

describe('batched calls', () => {
  it('are combined when they are made in the same turn, or while a call is running', async () => {
    const { made, call } = calls()
    const ask = callBatcher(call, 10)
    const first = [ask(1), ask(2)]
    await turn()
    const later = [ask(3), ask(1)]
    await turn()
    expect(made.map(({ asked }) => asked)).to.deep.equal([[1, 2]])
    made[0]!.answer()
    expect(await Promise.all(first)).to.deep.equal(['1', '2'])
    await turn()
    expect(made.map(({ asked }) => asked)).to.deep.equal([
      [1, 2],
      [3, 1],
    ])
    made[1]!.answer()
    expect(await Promise.all(later)).to.deep.equal(['3', '1'])
    void ask(4)
    await turn()
    expect(made.at(-1)!.asked).to.deep.equal([4])
  })

  it('are split when they are too many for one', async () => {
    const asked: (readonly number[])[] = []
    const ask = callBatcher(async (some: readonly number[]) => {
      asked.push(some)
      return some
    }, 2)
    expect(await Promise.all([1, 2, 3, 4, 5].map(ask))).to.deep.equal([1, 2, 3, 4, 5])
    expect(asked).to.deep.equal([[1, 2], [3, 4], [5]])
  })

  it('fail only with the call that contains them', async () => {
    const { made, call } = calls()
    const ask = callBatcher(call, 10)
    const outcome = (answer: Promise<string>) => answer.catch((error: Error) => error.message)
    const first = [ask(1), ask(2)].map(outcome)
    await turn()
    const later = ask(3)
    made[0]!.fail(new Error('away'))
    expect(await Promise.all(first)).to.deep.equal(['away', 'away'])
    await turn()
    made[1]!.answer()
    expect(await later).to.equal('3')
  })
})
