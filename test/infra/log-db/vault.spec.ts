import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { openSqliteStore } from '../../../infra/log-db/store.ts'
import { MasterKey } from '../../../infra/vault/master-key.ts'
import { open, seal } from '../../../infra/vault/sealing.ts'
import { event, taken } from '../event-log/setting.ts'
import { temporaryDirectory } from '../temporary-directory.ts'
import { formerlyWrapped, MASTER, type OpenVault, vaultContract } from '../vault.contract.ts'

const secret = MASTER

async function openVault(): Promise<OpenVault & { path: string }> {
  const { path, remove } = temporaryDirectory()
  let store = await openSqliteStore(path, secret)
  return {
    path,
    ...store,
    async reopen(other = secret) {
      await store.log.close()
      store = await openSqliteStore(path, other)
      return store
    },
    async cleanup() {
      await store.log.close()
      remove()
    },
  }
}

vaultContract('The SQLite vault', openVault)

describe('The SQLite vault', () => {
  let current: Awaited<ReturnType<typeof openVault>>
  beforeEach(async () => {
    current = await openVault()
  })
  afterEach(() => current.cleanup())

  it('seals and opens at once, without a promise', () => {
    const sealed = current.vault.seal(5, { a: 1 })
    expect(sealed).to.be.a('string')
    expect(current.vault.open(5, sealed as string)).to.deep.equal({ a: 1 })
  })

  it('keeps more keys than it has in memory', async () => {
    const { vault, log, reopen } = current
    const sealed: string[] = []
    for (let person = 1; person <= 25_000; person++) sealed.push(await vault.seal(person, { person }))
    expect(await vault.open(1, sealed[0]!)).to.deep.equal({ person: 1 })
    taken(await log.append({ stream: 's', expected: -1, events: [event()] }))
    const again = await reopen()
    for (let person = 1; person <= 25_000; person += 7) {
      expect(await again.vault.open(person, sealed[person - 1]!)).to.deep.equal({ person })
    }
  })

  it('finds the keys of subjects whose numbers are in any order, also after a restart', async () => {
    const { vault, log, reopen } = current
    const sealed = new Map<number, string>()
    for (const subject of [3, -7, 5, -9, 4, -8, 1]) sealed.set(subject, await vault.seal(subject, { subject }))
    taken(await log.append({ stream: 's', expected: -1, events: [event()] }))
    const again = await reopen()
    for (const subject of [-10, 6, -6, 2]) sealed.set(subject, await again.vault.seal(subject, { subject }))
    for (const [subject, text] of sealed) expect(await again.vault.open(subject, text)).to.deep.equal({ subject })
  })

  it('leaves nothing readable on the disk', async () => {
    const { vault, log, path } = current
    const sealed = await vault.seal(8, { email: 'grace@example.com' })
    taken(
      await log.append({ stream: 'contact-8', expected: -1, events: [event({ sealed, by: 'nobody-in-particular' })] }),
    )
    const file = readFileSync(join(path, 'log.db-wal'))
    expect(file.includes('nobody-in-particular')).to.equal(true)
    for (const text of ['grace', 'example.com']) expect(file.includes(text)).to.equal(false)
  })

  it('says so when a key is missing that was never destroyed', () => {
    expect(() => current.vault.open(404, 'AQ')).to.throw(
      /no key for the personal data of 404 here\. The keys of a log on a server are in .*: use that one .*log of its own/,
    )
  })
})

/** AES key wrap, step by step (RFC 3394, 2.2.1). */
const wrappedByHand = (wrapping: Buffer, key: Buffer): Buffer => {
  const aes = createCipheriv('aes-256-ecb', wrapping, null).setAutoPadding(false)
  const registers = [0, 8, 16, 24].map((at) => key.subarray(at, at + 8))
  let check = Buffer.alloc(8, 0xa6)
  for (let step = 0; step < 24; step++) {
    const block = aes.update(Buffer.concat([check, registers[step % 4]!]))
    check = Buffer.from(block.subarray(0, 8))
    check[7]! ^= step + 1
    registers[step % 4] = block.subarray(8)
  }
  return Buffer.concat([check, ...registers])
}

describe('Sealing', () => {
  it('refuses what a later version has sealed', () => {
    const key = randomBytes(32)
    const sealed = Buffer.from(seal(key, { a: 1 }), 'base64url')
    expect(open(key, sealed.toString('base64url'))).to.deep.equal({ a: 1 })
    sealed[0] = 2
    expect(() => open(key, sealed.toString('base64url'))).to.throw('newer version')
  })

  it('never uses an initialisation vector twice', () => {
    const key = randomBytes(32)
    const ivs = Array.from({ length: 5000 }, () => Buffer.from(seal(key, {}), 'base64url').toString('hex', 1, 13))
    expect(new Set(ivs).size).to.equal(5000)
  })

  it('wraps keys reversibly, and differently under each master secret', () => {
    const [one, other] = [new MasterKey(randomBytes(32)), new MasterKey(randomBytes(32))]
    for (let n = 0; n < 100; n++) {
      const key = randomBytes(32)
      const wrapped = one.wrap(key)
      expect(wrapped).to.have.length(40)
      expect(wrapped.includes(key.subarray(0, 8))).to.equal(false)
      expect(one.unwrap(wrapped)).to.deep.equal(key)
      expect(() => other.unwrap(wrapped)).to.throw('another master secret')
      for (const cut of [wrapped.subarray(0, 39), Buffer.concat([wrapped, wrapped.subarray(0, 8)])])
        expect(() => one.unwrap(cut)).to.throw('has been altered')
    }
    expect(Buffer.from(one.fingerprint)).not.to.deep.equal(Buffer.from(other.fingerprint))
  })

  it('wraps as RFC 3394 has it, and unwraps what was wrapped before', () => {
    const [master, key] = [randomBytes(32), randomBytes(32)]
    const wrapping = Buffer.from(hkdfSync('sha256', master, 'millrace', 'AES key wrap', 32))
    expect(new MasterKey(master).wrap(key)).to.deep.equal(wrappedByHand(wrapping, key))
    expect(new MasterKey(master).unwrap(formerlyWrapped(master, key))).to.deep.equal(key)
  })

  it('authenticates by HMAC-SHA256', () => {
    const master = randomBytes(32)
    const key = Buffer.from(hkdfSync('sha256', master, 'millrace', 'tokens', 32))
    const one = new MasterKey(master)
    const random = Array.from({ length: 200 }, () => randomBytes(20).toString('latin1'))
    for (const text of ['', 'email\0ada@example.com', '\ud800', '日'.repeat(300), 'ü'.repeat(500), ...random]) {
      expect(one.token(text)).to.equal(createHmac('sha256', key).update(text).digest().toString('base64url', 0, 16))
    }
  })
})
