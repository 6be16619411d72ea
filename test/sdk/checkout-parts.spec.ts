import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { regionsTable } from '../../infra/docs/regions-table.ts'
import { needsPostalCode } from '../../sdk/checkout/addresses/postal.ts'
import { COUNTRIES, REGIONS } from '../../sdk/checkout/addresses/regions.ts'
import { createCartMemory } from '../../sdk/checkout/cart-memory.ts'
import { isCode, isFuture, testToken } from '../../sdk/checkout/gateways/test-cards.ts'
import { offeredBy } from '../../sdk/offers/offered-price.ts'

describe('countries of the address form', () => {
  it('has the countries and regions of ISO 3166 (node dist/infra/docs/write-regions.js)', () => {
    expect({ countries: COUNTRIES, regions: REGIONS }).to.deep.equal(regionsTable())
  })

  it('54: Hong Kong and the Emirates need no postal code, Ireland none, and only some have regions', () => {
    expect(['HK', 'AE', 'IE', 'PA', 'QA'].filter(needsPostalCode)).to.deep.equal([])
    expect(['US', 'DE', 'GB', 'JP', 'CA'].every(needsPostalCode)).to.equal(true)
    expect(['HK', 'IE', 'DE', 'GB', 'SG'].filter((country) => country in REGIONS)).to.deep.equal([])
    expect(REGIONS.US).to.include('CA California')
    expect(REGIONS.ES).to.include('M Madrid').and.to.include('CE Ceuta')
    expect(REGIONS.IT).to.include('RM Roma')
  })
})

describe('test cards', () => {
  it('stand for a token, however they are written', () => {
    expect(testToken('4242 4242 4242 4242')).to.equal('sim_4242424242424242')
    expect(testToken('4000-0000-0000-0002')).to.equal('sim_4000000000000002')
    expect(testToken('4000002500003155')).to.equal('sim_4000002500003155')
    expect(testToken('4111 1111 1111 1111')).to.equal(undefined)
    expect(testToken('')).to.equal(undefined)
  })

  it('are good until the end of their month', () => {
    const now = new Date(2026, 5, 30)
    for (const good of ['06/26', '6 / 26', '12 / 2034', '0734']) expect(isFuture(good, now), good).to.equal(true)
    for (const bad of ['05/26', '13/30', '00/30', '', 'soon', '1/2/34']) expect(isFuture(bad, now), bad).to.equal(false)
    expect(['123', '1234', ' 123 '].every(isCode)).to.equal(true)
    expect(['12', '12a', ''].some(isCode)).to.equal(false)
  })
})

describe('the price of an offer', () => {
  it('is read from the value of its button', () => {
    const button = (value: string | null) => ({ getAttribute: () => value }) as unknown as Element
    expect(offeredBy(button(' v1 | p1 '))).to.deep.equal({ variant_id: 'v1', price_id: 'p1' })
    for (const bad of [null, '', 'v1', 'v1|', '|p1', 'v1|p1|x'])
      expect(offeredBy(button(bad)), `${bad}`).to.equal(undefined)
    expect(offeredBy(undefined)).to.equal(undefined)
  })
})

describe('memory of a cart that is paid', () => {
  const memoryOver = (tab: Partial<Storage> | undefined, consent?: string, mode = 'live') => {
    const document = { querySelector: () => (consent ? { content: consent } : null) }
    return createCartMemory({ host: { document, tab }, token: 'cfp_1', init: { mode } } as unknown as Parameters<
      typeof createCartMemory
    >[0])
  }
  const mapStorage = () => {
    const map = new Map<string, string>()
    const storage: Partial<Storage> = {
      getItem: (key) => map.get(key) ?? null,
      setItem: (key, value) => void map.set(key, value),
      removeItem: (key) => void map.delete(key),
    }
    return { map, storage }
  }

  it('58: outlasts a reload', () => {
    const { storage } = mapStorage()
    memoryOver(storage).paying('c1')
    expect(memoryOver(storage).recall()).to.deep.equal({ cartId: 'c1', isDone: false })
    memoryOver(storage).paid('c1')
    expect(memoryOver(storage).recall()).to.deep.equal({ cartId: 'c1', isDone: true })
    memoryOver(storage).forget()
    expect(memoryOver(storage).recall()).to.equal(undefined)
  })

  it('4, 28: works without storage, and stores nothing without consent', () => {
    const refuse = () => {
      throw new Error('SecurityError')
    }
    for (const tab of [undefined, { getItem: refuse, setItem: refuse, removeItem: refuse }]) {
      const refusing = memoryOver(tab)
      refusing.paid('c1')
      expect(refusing.recall()).to.deep.equal({ cartId: 'c1', isDone: true })
    }
    const { map, storage } = mapStorage()
    const denied = memoryOver(storage, 'denied')
    denied.paying('c1')
    expect([denied.recall()?.cartId, map.size]).to.deep.equal(['c1', 0])
    const preview = memoryOver(storage, undefined, 'preview')
    preview.paid('c1')
    expect([preview.recall(), map.size]).to.deep.equal([undefined, 0])
  })
})

describe('files of the checkout', () => {
  it('9: have no word in their names that blockers look for', () => {
    const names = readFileSync('sdk/checkout/main.ts', 'utf8').match(/'[./a-z-]+\.ts'/g) ?? []
    expect(names.filter((name) => /analytics|track|pixel|beacon|collect|event/.test(name))).to.deep.equal([])
  })
})
