import { expect } from 'chai'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import { addressFrom, originOf, originsOf } from '../../../domain/sites/origin.ts'

interface Names {
  /** Names that are only requested. */
  readonly pending?: readonly string[]
  /** Id of the main domain: the place of its name. */
  readonly main?: number | null
}

/** Look-ups in a workspace with these connected domains, on a machine that listens on this port. */
const loader = (listenerPort: number, names: readonly string[], { pending = [], main = null }: Names = {}) => {
  const all = [...names, ...pending].map(
    (name, id) => ({ id, name, connected: id < names.length }) as unknown as Document,
  )
  return {
    one: async () => ({ id: 7, main_domain_id: main }) as unknown as Document,
    where: async () => all,
    listenerPort,
  }
}

const LOCAL = 'demo.localhost'

describe('the origin of pages', () => {
  it('is the port of the listener, under names of this machine, where http has another', async () => {
    expect(await originOf(loader(4000, [LOCAL]), 7)).to.equal('http://demo.localhost:4000')
    for (const port of [80, 0]) expect(await originOf(loader(port, [LOCAL]), 7)).to.equal('http://demo.localhost')
  })

  it('is the usual port of https everywhere else', async () => {
    expect(await originOf(loader(4000, ['www.example.com']), 7)).to.equal('https://www.example.com')
  })

  it('is the domain of its own, or else the chosen one, or else the first that everybody can reach', async () => {
    const names = [LOCAL, 'www.example.com', 'shop.example.com', 'pay.example.com']
    const origin = (own?: number | null, more: Names = {}) => originOf(loader(80, names, more), 7, own)
    for (const unknown of [null, undefined, 9]) expect(await origin(unknown)).to.equal('https://www.example.com')
    expect(await origin(null, { main: 2 })).to.equal('https://shop.example.com')
    expect(await origin(null, { main: 0 })).to.equal('http://demo.localhost')
    expect(await origin(3, { main: 2 })).to.equal('https://pay.example.com')
    expect(await originOf(loader(80, []), 7)).to.equal(undefined)
  })

  it('never is a domain that is not connected', async () => {
    const asked = loader(80, [LOCAL], { pending: ['www.example.com'], main: 1 })
    expect(await originOf(asked, 7, 1)).to.equal('http://demo.localhost')
    expect(await originOf(loader(80, [], { pending: ['www.example.com'] }), 7, 0)).to.equal(undefined)
  })

  it('is one of several, at which a visitor stays', async () => {
    const all = await originsOf(loader(4000, [LOCAL, 'www.example.com']), 7)
    expect(all).to.deep.equal(['https://www.example.com', 'http://demo.localhost:4000', 'http://localhost:4000'])
    expect(await originsOf(loader(4000, [LOCAL, 'www.example.com']), 7, 1)).to.deep.equal(['https://www.example.com'])
    const next = 'https://www.example.com/b?c=1#d'
    for (const origin of all) expect(addressFrom(`${origin}/a`, next, all)).to.equal(`${origin}/b?c=1#d`)
    for (const stranger of ['https://evil.example/a', 'http://www.example.com/a', 'nothing'])
      expect(addressFrom(stranger, next, all)).to.equal(next)
  })
})
