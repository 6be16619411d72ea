import { expect } from 'chai'
import { namesInOrder } from '../../../infra/mongodb/reactor-rows.ts'

describe('names of rows', () => {
  it('ascend in the order of writing, also while the clock goes back', () => {
    const times = [1_000_000, 1_000_900, 5_000_000, 2_000_000, 0, 6_000_000]
    const name = namesInOrder(() => times.shift() ?? 7_000_000)
    const names = Array.from({ length: 1000 }, name)
    expect(names).to.deep.equal([...names].sort())
    expect(new Set(names)).to.have.property('size', 1000)
  })

  it('differ between processes', () => {
    const [one, other] = [namesInOrder(() => 0), namesInOrder(() => 0)]
    expect(one()).not.to.equal(other())
  })
})
