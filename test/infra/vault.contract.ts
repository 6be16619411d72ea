import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { expect } from 'chai'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { type KeyStore, WRAPPED_KEY_BYTES } from '../../infra/vault/key-store.ts'
import { seal } from '../../infra/vault/sealing.ts'
import { events, fresh, taken } from './event-log/setting.ts'

/** A vault under test, with its keys and its log. */
export interface OpenVault {
  readonly vault: Vault
  readonly keys: KeyStore
  readonly log: EventLog
  /** Closes both and opens them again, with this master secret or the previous one. */
  reopen(secret?: Uint8Array): Promise<{ vault: Vault; log: EventLog }>
  cleanup(): Promise<void>
}

/** Wraps a key as versions up to 0.3 did: 32 bytes, each block separately. */
export const formerlyWrapped = (secret: Uint8Array, key: Uint8Array): Buffer => {
  const wrapping = Buffer.from(hkdfSync('sha256', secret, 'millrace', 'key wrapping', 32))
  return createCipheriv('aes-256-ecb', wrapping, null).setAutoPadding(false).update(key)
}

const personal = { email: 'ada@example.com', first_name: 'Ada', notes: ['Ünïcödé 🎉', null, 1.5], empty: {} }
let people = Date.now()

/** The master secret of every vault under test. */
export const MASTER = Buffer.alloc(32, 1)

/** Contract of every vault. @param open called before each test */
export function vaultContract(name: string, open: () => Promise<OpenVault>): void {
  describe(`${name} as a vault`, () => {
    let current: OpenVault
    let person: number
    beforeEach(async () => {
      current = await open()
      person = people++
    })
    afterEach(() => current.cleanup())

    const refused = async (attempt: () => unknown): Promise<Error> => {
      try {
        await attempt()
      } catch (error) {
        return error as Error
      }
      throw new Error('was not refused')
    }

    it('gives back what it has sealed', async () => {
      const { vault } = current
      for (const value of [personal, {}, { long: 'x'.repeat(100_000) }]) {
        expect(await vault.open(person, await vault.seal(person, value))).to.deep.equal(value)
      }
    })

    it('reveals nothing, not even that two values are equal', async () => {
      const { vault } = current
      const sealed = await Promise.all(Array.from({ length: 50 }, () => vault.seal(person, personal)))
      expect(new Set(sealed).size).to.equal(50)
      for (const each of sealed) {
        expect(each).to.match(/^[\w-]+$/)
        expect(Buffer.from(each, 'base64url').includes('ada')).to.equal(false)
      }
    })

    it('opens nothing with the key of another, and nothing that was altered', async () => {
      const { vault } = current
      const other = people++
      const sealed = await vault.seal(person, personal)
      await vault.seal(other, personal)
      await refused(() => vault.open(other, sealed))
      const bytes = Buffer.from(sealed, 'base64url')
      for (const at of [0, 1, 13, bytes.length - 1]) {
        const altered = Buffer.from(bytes)
        altered[at]! ^= 1
        await refused(() => vault.open(person, altered.toString('base64url')))
      }
      for (const cut of ['', sealed.slice(0, 20), sealed.slice(0, -2)]) await refused(() => vault.open(person, cut))
    })

    it('opens nothing of a person whose key is destroyed, and seals nothing for them', async () => {
      const { vault } = current
      const other = people++
      const [sealed, others] = [await vault.seal(person, personal), await vault.seal(other, personal)]
      await vault.destroy(person)
      expect(await vault.open(person, sealed)).to.equal(null)
      const error = await refused(() => vault.seal(person, personal))
      expect(error.message).to.include(String(person)).and.include('erased')
      await vault.destroy(person)
      expect(await vault.open(person, sealed)).to.equal(null)
      expect(await vault.open(other, others)).to.deep.equal(personal)
    })

    it('destroys also the key of a person who has none, so that none can be made', async () => {
      await current.vault.destroy(person)
      await refused(() => current.vault.seal(person, personal))
    })

    it('keeps a key as long as the append that followed it', async () => {
      const { vault, log, reopen } = current
      const sealed = await vault.seal(person, personal)
      taken(await log.append({ stream: fresh('contact'), expected: -1, events: events(1) }))
      expect(await vault.open(person, sealed)).to.deep.equal(personal)
      const again = await reopen()
      expect(await again.vault.open(person, sealed)).to.deep.equal(personal)
    })

    it('opens what was sealed under a key that an older version wrapped, and seals under it', async () => {
      const { keys, log, reopen } = current
      const key = randomBytes(32)
      await keys.keep(person, () => formerlyWrapped(MASTER, key))
      taken(await log.append({ stream: fresh('contact'), expected: -1, events: events(1) }))
      const { vault } = await reopen()
      expect(await vault.open(person, seal(key, personal))).to.deep.equal(personal)
      expect(await vault.open(person, await vault.seal(person, { a: 1 }))).to.deep.equal({ a: 1 })
      await vault.destroy(person)
      expect(await vault.open(person, seal(key, personal))).to.equal(null)
    })

    it('keeps new keys with a check, and says which key was altered', async () => {
      const { keys, vault, log } = current
      await vault.seal(person, personal)
      taken(await log.append({ stream: fresh('contact'), expected: -1, events: events(1) }))
      const wrapped = Buffer.from((await keys.get(person)) as Uint8Array)
      expect(wrapped).to.have.length(WRAPPED_KEY_BYTES)
      for (const at of [0, 8, WRAPPED_KEY_BYTES - 1]) {
        const other = people++
        const altered = Buffer.from(wrapped)
        altered[at]! ^= 1
        await keys.keep(other, () => altered)
        const error = await refused(() => vault.seal(other, personal))
        expect(error.message).to.include(String(other)).and.include('another master secret, or has been altered')
      }
    })

    it('stays destroyed', async () => {
      const { vault, reopen } = current
      const sealed = await vault.seal(person, personal)
      await vault.destroy(person)
      const again = await reopen()
      expect(await again.vault.open(person, sealed)).to.equal(null)
      await refused(() => again.vault.seal(person, personal))
    })

    it('refuses to open under another master secret', async () => {
      const { vault, log, reopen } = current
      await vault.seal(person, personal)
      await log.append({ stream: fresh('contact'), expected: -1, events: events(1) })
      const error = await refused(() => reopen(Buffer.alloc(32, 99)))
      expect(error.message).to.include('master secret')
    })

    it('makes tokens that are the same for the same value, and for nothing else', async () => {
      const { vault, reopen } = current
      const token = vault.token('email', 'Ada@Example.com')
      expect(token).to.match(/^[\w-]{22}$/)
      for (const same of ['ada@example.com', ' ADA@EXAMPLE.COM\n', 'ａda@example.com']) {
        expect(vault.token('email', same)).to.equal(token)
      }
      for (const [purpose, value] of [
        ['phone', 'ada@example.com'],
        ['email', 'ada@example.org'],
        ['email', 'ad a@example.com'],
        ['emaila', 'da@example.com'],
        ['email', ''],
      ] as const) {
        expect(vault.token(purpose, value)).not.to.equal(token)
      }
      expect((await reopen()).vault.token('email', 'ada@example.com')).to.equal(token)
    })
  })
}
