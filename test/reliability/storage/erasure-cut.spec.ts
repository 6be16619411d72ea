import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { keyHalvesFile, logFile, openSqliteStore } from '../../../infra/log-db/store.ts'
import { connect } from '../../../infra/sqlite/binding.ts'
import { HALF_BYTES } from '../../../infra/vault/key-store.ts'
import { Child } from '../../infra/children/child.ts'
import { temporaryDirectory } from '../../infra/temporary-directory.ts'

describe('an erasure cut off between its record and the blanking of the half', () => {
  const directory = temporaryDirectory()
  after(() => directory.remove())

  const keyOf = (subject: number) => {
    const db = connect(logFile(directory.path), true)
    const row = db.prepare('SELECT slot, half FROM key WHERE subject = ?').get(subject)
    db.close()
    return row as { slot: number; half: Uint8Array | null }
  }
  const halfIn = (slot: number): Buffer =>
    readFileSync(keyHalvesFile(directory.path)).subarray(slot * HALF_BYTES, (slot + 1) * HALF_BYTES)

  it('is finished by the next start', async () => {
    const child = new Child('end-before-blanking', [directory.path])
    const sealed = await child.line(0)
    await child.end('SIGCONT')
    const { slot, half } = keyOf(8)
    expect(half, 'the half in the log').to.equal(null)
    const left = halfIn(slot)
    expect(left.every((byte) => byte === 0)).to.equal(false)

    const { log, vault } = await openSqliteStore(directory.path, Buffer.alloc(32, 7))
    expect(halfIn(slot).every((byte) => byte === 0)).to.equal(true)
    expect(readFileSync(keyHalvesFile(directory.path)).includes(left)).to.equal(false)
    expect(await vault.open(8, sealed)).to.equal(null)
    await log.close()
  })
})
