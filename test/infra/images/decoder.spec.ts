import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { createDecoder, type Decoder } from '../../../infra/images/decoder/decoder.ts'
import type { DecodingStopped } from '../../../infra/images/decoder/decoder-process.ts'
import type { ImageTask } from '../../../infra/images/decoder/task.ts'
import { hungryDrawing, hungryFilter, hungryJpeg, slowDrawing, slowFilter } from '../../support/expensive-images.ts'
import { square } from '../../support/servers/image-server.ts'

const MOST_BYTES = 400_000_000

/** Resident memory of a process; 0 if it is gone. */
const residentBytes = (pid: number): number => {
  try {
    if (process.platform === 'linux') return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4096
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024
  } catch {
    return 0
  }
}

/** Outcome of a task, and the most memory that its process was seen with. */
const measured = async (decoder: Decoder, task: ImageTask) => {
  let peak = 0
  const looking = setInterval(() => {
    peak = Math.max(peak, ...decoder.pids.map(residentBytes))
  }, 2)
  try {
    return { result: await decoder.run(task), peak }
  } catch (error) {
    return { reason: (error as DecodingStopped).reason, peak }
  } finally {
    clearInterval(looking)
  }
}

const large = (content: Uint8Array, type: string): ImageTask => ({
  ...{ kind: 'resize', content, type, width: 2000, height: 2000, format: 'png' },
})

describe('the process that decodes images', () => {
  let decoder: Decoder
  beforeEach(() => {
    decoder = createDecoder()
  })
  afterEach(() => decoder.close())

  for (const [what, content, type] of [
    ['a drawing', async () => hungryDrawing(), 'image/svg+xml'],
    ['a picture', () => hungryJpeg(), 'image/jpeg'],
  ] as const) {
    it(`stops before ${what} takes 400 MB, and the next is decoded`, async () => {
      const { reason, peak } = await measured(decoder, large(await content(), type))
      expect({ reason }).to.deep.equal({ reason: 'memory' })
      expect(peak).to.be.within(50_000_000, MOST_BYTES)
      const { result } = await measured(decoder, large(await square(9).png().toBuffer(), 'image/png'))
      expect(result).to.include({ type: 'image/png', unscaled: false })
    })
  }

  it('stops when a picture takes too long', async () => {
    await decoder.close()
    decoder = createDecoder(1500)
    const begun = performance.now()
    const { reason, peak } = await measured(decoder, large(slowDrawing(), 'image/svg+xml'))
    expect({ reason }).to.deep.equal({ reason: 'time' })
    expect(performance.now() - begun).to.be.within(1500, 10_000)
    expect(peak).to.be.below(MOST_BYTES)
  })

  for (const [what, content] of Object.entries({ hungryFilter, slowFilter })) {
    it(`draws no filter: ${what}`, async () => {
      const sent = content()
      expect(sent.length).to.be.below(6000)
      const { result, peak } = await measured(decoder, { kind: 'clean', content: sent })
      expect(result).to.include({ type: 'image/svg+xml', unscaled: true })
      expect(peak).to.be.below(MOST_BYTES)
      expect((await measured(decoder, large(sent, 'image/svg+xml'))).result).to.include({ unscaled: true })
    })
  }

  it('serves the next picture after one for which the system gave it no memory', async function () {
    if (process.platform !== 'linux') this.skip()
    const task = large(await square(9).png().toBuffer(), 'image/png')
    await decoder.run(task)
    expect((await measured(decoder, large(hungryDrawing(), 'image/svg+xml'))).reason).to.equal('memory')
    // By the same process or, if too much of the memory has stayed with that, by another.
    expect(decoder.pids).to.have.length(1)
    expect(await decoder.run(task)).to.include({ type: 'image/png' })
  })

  it('has as much room for the picture after a large one', async () => {
    const before = await measured(decoder, large(await square(9).png().toBuffer(), 'image/png'))
    const heavy = await measured(decoder, large(hungryDrawing(10), 'image/svg+xml'))
    expect(heavy.peak).to.be.above(before.peak + 50_000_000)
    const after = await measured(decoder, large(await square(9).png().toBuffer(), 'image/png'))
    expect(after.result).to.include({ type: 'image/png' })
    expect(after.peak).to.be.below(before.peak + 60_000_000)
  })

  it('is started again when somebody kills it, idle or at work', async () => {
    const task = large(await square(2000).png().toBuffer(), 'image/png')
    expect((await measured(decoder, task)).result).to.include({ type: 'image/png' })
    const [idle] = decoder.pids
    process.kill(idle!, 'SIGKILL')
    while (decoder.pids.length > 0) await new Promise((resolve) => setImmediate(resolve))
    const running = measured(decoder, task)
    const [atWork] = decoder.pids
    process.kill(atWork!, 'SIGKILL')
    expect((await running).result).to.include({ type: 'image/png' })
    expect(decoder.pids).not.to.include(atWork)
  })

  it('takes the signals that stop a service from the service alone', async () => {
    const task = large(await square(9).png().toBuffer(), 'image/png')
    await decoder.run(task)
    const { pids } = decoder
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pids[0]!, signal)
    await decoder.run(task)
    expect(decoder.pids).to.deep.equal(pids)
  })

  it('knows no secrets', async () => {
    process.env.MILLRACE_TEST_SECRET = 'of nobody else'
    await decoder.run(large(await square(9).png().toBuffer(), 'image/png'))
    delete process.env.MILLRACE_TEST_SECRET
    if (process.platform !== 'linux') return
    const environment = readFileSync(`/proc/${decoder.pids[0]}/environ`, 'latin1').split('\0')
    expect(environment.filter((entry) => /MILLRACE|SECRET/.test(entry))).to.deep.equal([])
  })

  it('reads none of the other formats that its library knows', async () => {
    for (const type of ['tiff', 'avif'] as const) {
      const content = await square(9).toFormat(type).toBuffer()
      const { result } = await measured(decoder, large(content, 'image/png'))
      expect(result).to.deep.equal({ problem: 'is not a whole image' })
    }
  })

  it('ends with its owner', async () => {
    await decoder.run(large(await square(9).png().toBuffer(), 'image/png'))
    const [pid] = decoder.pids
    await decoder.close()
    expect(() => process.kill(pid!, 0)).to.throw(/ESRCH/)
    expect(await decoder.run({ kind: 'clean', content: Buffer.alloc(0) }).catch((error) => error.reason)).to.equal(
      'crash',
    )
  })
})
