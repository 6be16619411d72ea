import { expect } from 'chai'
import { LowWatermark } from '../../../workers/reactor/low-watermark.ts'

describe('the low watermark of a reactor', () => {
  it('is the position of an event, also in a log with gaps', () => {
    const horizon = new LowWatermark(100)
    for (const position of [733, 1320, 4283]) {
      if (position !== 733) horizon.begin(position)
      horizon.see(position)
    }
    expect(horizon.checkpoint).to.equal(733)
    horizon.end(1320)
    expect(horizon.checkpoint).to.equal(1320)
    horizon.end(4283)
    expect(horizon.checkpoint).to.equal(4283)
  })

  it('waits for everything that began at a position', () => {
    const horizon = new LowWatermark(-1)
    horizon.begin(733)
    horizon.begin(733)
    horizon.see(733)
    horizon.end(733)
    expect([horizon.checkpoint, horizon.size]).to.deep.equal([-1, 1])
    horizon.end(733)
    expect([horizon.checkpoint, horizon.size]).to.deep.equal([733, 0])
  })
})
