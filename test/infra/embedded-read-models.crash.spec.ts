import { once } from 'node:events'
import { expect } from 'chai'
import { openEmbeddedReadModels } from '../../infra/read-models/embedded/store.ts'
import { Child } from './children/child.ts'
import { checkRounds } from './read-models/rounds.ts'
import { collections } from './read-models/setting.ts'
import { temporaryDirectory } from './temporary-directory.ts'

describe('The embedded read models, when their process ends without warning', () => {
  let directory: ReturnType<typeof temporaryDirectory>
  beforeEach(async () => {
    directory = temporaryDirectory()
    const store = await openEmbeddedReadModels(directory.path, collections)
    await (await store.rebuild('rounds')).takeOver()
    await store.close()
  })
  afterEach(() => directory.remove())

  it('hold what was answered, whole applies only, and indexes that agree', async () => {
    let round = 0
    for (const lines of [5, 30, 61, 90]) {
      const child = new Child('apply-for-ever', [directory.path, String(round + 1), '100'])
      await child.line(lines)
      await child.end('SIGKILL')
      const reached = await check(100)
      expect(reached).to.be.at.least(Number(child.lines.at(-1)))
      round = reached
    }
    expect(round).to.be.at.least(5 + 30 + 61 + 90)
  })

  it('keep what they have when the disk is full, say so, and go on when there is space', async () => {
    // A file may grow to 6,000 blocks of at most 1,024 bytes.
    const limit = ['sh', '-c', 'ulimit -f 6000; exec "$@"', 'sh']
    const child = new Child('apply-for-ever', [directory.path, '1', '5000'], limit)
    await child.end()
    expect(child.lines.at(-1)).to.match(/^failed the read models in .* could not be written .*: check the free space/)
    const round = await check(5000)
    expect(round).to.equal(Number(child.lines.at(-2)))
    const next = new Child('apply-for-ever', [directory.path, String(round + 1), '5000'])
    await next.line(10)
    await next.end('SIGKILL')
    expect(await check(5000)).to.be.at.least(round + 10)
  })

  it('do not keep the process from ending', async () => {
    const child = new Child('exit-while-applying', [directory.path])
    // lmdb may trip over its own thread on the way out, as by a kill; with other settings it would wait for it for ever.
    await once(child.process, 'exit')
    expect(await check(100)).to.be.oneOf([0, 8])
  })

  async function check(bytes: number): Promise<number> {
    const store = await openEmbeddedReadModels(directory.path, collections)
    try {
      if (store.live.checkpoint() === -1) return 0
      return await checkRounds(store.live, bytes)
    } finally {
      await store.close()
    }
  }
})
