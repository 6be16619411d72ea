import { readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openSqliteStore } from '../../infra/log-db/store.ts'
import { KeyHalves } from '../../infra/vault/key-halves.ts'
import { event, taken } from './event-log/setting.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const secret = Buffer.alloc(32, 1)

describe('Halves of keys', () => {
  let directory: ReturnType<typeof temporaryDirectory>
  let path: string
  beforeEach(() => {
    directory = temporaryDirectory()
    path = join(directory.path, 'key-halves')
  })
  afterEach(() => directory.remove())

  it('are random, on disk, and never given out twice, also to different processes', () => {
    const given = new Map<number, string>()
    for (let life = 0; life < 3; life++) {
      const halves = new KeyHalves(path)
      for (let count = 0; count < 5000; count++) {
        const number = halves.take()
        expect(given.has(number)).to.equal(false)
        given.set(number, halves.half(number).toString('hex'))
      }
      halves.close()
    }
    expect(new Set(given.values()).size).to.equal(given.size)
    const again = new KeyHalves(path)
    for (const [number, half] of given) expect(again.half(number).toString('hex')).to.equal(half)
    again.close()
  })

  it('are gone once erased, and the others stay', async () => {
    const halves = new KeyHalves(path)
    const [kept, gone] = [halves.take(), halves.take()]
    const [before, erased] = [Buffer.from(halves.half(kept)), Buffer.from(halves.half(gone))]
    expect(readFileSync(path).includes(erased)).to.equal(true)
    await halves.erase(gone)
    expect(readFileSync(path).includes(erased)).to.equal(false)
    expect(halves.half(kept).equals(before)).to.equal(true)
    expect(halves.half(gone).equals(erased)).to.equal(false)
    halves.close()
  })

  it('are reported as missing when the file is gone or cut short', () => {
    const halves = new KeyHalves(path)
    const number = halves.take()
    halves.close()
    truncateSync(path, 16)
    expect(() => new KeyHalves(path).half(number)).to.throw('missing or cut short')
    expect(() => new KeyHalves(join(directory.path, 'none')).half(0)).to.throw('missing or cut short')
  })

  it('allow a destruction to be finished that a crash has interrupted', async () => {
    const store = await openSqliteStore(directory.path, secret)
    const sealed = await store.vault.seal(8, { email: 'grace@example.com' })
    taken(await store.log.append({ stream: 'contact-8', expected: -1, events: [event({ sealed })] }))
    const erase = KeyHalves.prototype.erase
    KeyHalves.prototype.erase = () => Promise.reject(new Error('cut off'))
    const cutOff = await store.vault.destroy(8).then(
      () => false,
      () => true,
    )
    KeyHalves.prototype.erase = erase
    expect(cutOff).to.equal(true)
    const before = readFileSync(path)
    await store.vault.destroy(8)
    expect(readFileSync(path).equals(before)).to.equal(false)
    expect(store.vault.open(8, sealed)).to.equal(null)
    await store.log.close()
  })
})
