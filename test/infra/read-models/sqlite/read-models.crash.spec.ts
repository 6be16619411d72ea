import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { openSqliteReadModels } from '../../../../infra/read-models/sqlite/store.ts'
import { byForm } from '../../../reliability/form.ts'
import { Child } from '../../children/child.ts'
import { temporaryDirectory } from '../../temporary-directory.ts'
import { checkRounds } from '../rounds.ts'
import { builtFrom, collections } from '../setting.ts'

/** How far each of the lives comes that are killed while they apply. */
const LIVES = byForm([5, 61], [5, 30, 61, 90])
/** Kills while a generation is replaced, each a little later than the one before. */
const KILLS = byForm(4, 12)
/** Kills after which a generation must have come in between. */
const MOST_KILLS = 12

describe('The SQLite read models, when their process ends without warning', () => {
  let directory: ReturnType<typeof temporaryDirectory>
  let file: string
  beforeEach(async () => {
    directory = temporaryDirectory()
    file = path.join(directory.path, 'views.db')
    const store = await openSqliteReadModels(file, collections)
    await (await store.rebuild(builtFrom('rounds'))).takeOver()
    await store.close()
  })
  afterEach(() => directory.remove())

  it('contain all answered applies, only whole ones, with consistent indexes', async () => {
    let round = 0
    for (const lines of LIVES) {
      const child = new Child('apply-to-views', [file, String(round + 1), '100'])
      await child.line(lines)
      await child.end('SIGKILL')
      const reached = await check(100)
      expect(reached).to.be.at.least(Number(child.lines.at(-1)))
      round = reached
    }
    expect(round).to.be.at.least(LIVES.reduce((sum, lines) => sum + lines))
  })

  it('keep their content when the disk is full, report it, and continue when there is space', async () => {
    // Limits files to 6,000 blocks of at most 1,024 bytes.
    const limit = ['sh', '-c', 'ulimit -f 6000; exec "$@"', 'sh']
    const child = new Child('apply-to-views', [file, '1', '5000'], limit)
    await child.end()
    const [last, ...failures] = child.lines.slice(-4)
    expect(failures.slice(0, 2).join()).to.match(
      /^failed full The read models .* could not be written .*: there is no room.*,failed full/,
    )
    expect(failures[2]).to.equal('reads true')
    expect(await check(5000)).to.equal(Number(last))
    const next = new Child('apply-to-views', [file, String(Number(last) + 1), '5000'])
    await next.line(10)
    await next.end('SIGKILL')
    expect(await check(5000)).to.be.at.least(Number(last) + 10)
  })

  it('continue by themselves once there is space', async () => {
    const limit = ['sh', '-c', 'ulimit -S -f 6000; exec "$@"', 'sh']
    const child = new Child('fill-views', [file], limit)
    expect(await child.line(2)).to.equal('takes no more: full')
    execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited'])
    await child.end()
    expect(child.lines).to.deep.equal(['full', 'reads 1000', 'takes no more: full', 'counts 1000'])
  })

  it('hold a whole generation when they are being replaced', async () => {
    for (let n = 0; n < KILLS; n++) {
      const child = new Child('replace-views', [file])
      await child.line(1)
      await setTimeout((n * 187) / (KILLS - 1))
      await child.end('SIGKILL')
      expect(await check(10)).to.be.oneOf([3, 4, 5, 6, 7])
    }
  }).timeout(60_000)

  it('contain all answered changes when they are killed while the next generation carries documents over', async () => {
    let round = 0
    let generations = 0
    for (let n = 0; n < KILLS || (generations === 0 && n < MOST_KILLS); n++) {
      const child = new Child('keep-views', [file, String(round + 1)])
      await child.line(n % 2 === 0 ? 2 : 4)
      await setTimeout((n * 143) / (KILLS - 1))
      await child.end('SIGKILL')
      const rounds = child.lines.filter((line) => /^\d+$/.test(line))
      generations += child.lines.length - rounds.length
      round = await check(10)
      expect(round).to.be.at.least(Number(rounds.at(-1)))
    }
    expect(generations).to.be.greaterThan(0)
  }).timeout(60_000)

  for (const delay of [0, 20, 60, 100]) {
    it(`do not keep the process from ending, ${delay} ms later`, async () => {
      const child = new Child('exit-while-writing-views', [file, String(delay)])
      const [code] = await once(child.process, 'exit')
      // The exit may interrupt the thread in native code: then the process ends as if killed.
      expect(code).to.be.oneOf([3, null])
      expect(await check(100)).to.be.oneOf([0, 8])
    })
  }

  async function check(bytes: number): Promise<number> {
    const said: string[] = []
    const store = await openSqliteReadModels(file, collections, { onDamage: (message) => said.push(message) })
    try {
      expect(said).to.deep.equal([])
      if (store.live.checkpoint() === -1) return 0
      return await checkRounds(store.live, bytes)
    } finally {
      await store.close()
    }
  }
})
