import { expect } from 'chai'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { Loader } from '../../../domain/resources/view-types.ts'
import { originOf } from '../../../domain/sites/origin.ts'

/** A workspace with these domains, on a machine that listens on this port. */
const loader = (listenerPort: number, ...names: readonly string[]) => {
  const domains = names.map((name, id) => ({ id, name }) as unknown as Document)
  const found: Pick<Loader, 'one' | 'where' | 'listenerPort'> = {
    one: async (_, id) => domains.find((domain) => domain.id === id),
    where: async () => domains,
    listenerPort,
  }
  return found as Loader
}

describe('the origin of pages', () => {
  it('is the port of the listener, under names of this machine, where http has another', async () => {
    expect(await originOf(loader(4000, 'demo.localhost'), 7)).to.equal('http://demo.localhost:4000')
    for (const port of [80, 0])
      expect(await originOf(loader(port, 'demo.localhost'), 7)).to.equal('http://demo.localhost')
  })

  it('is the usual port of https everywhere else', async () => {
    expect(await originOf(loader(4000, 'www.example.com'), 7)).to.equal('https://www.example.com')
  })

  it('is the requested domain, or else the first', async () => {
    const both = loader(80, 'demo.localhost', 'www.example.com')
    expect(await originOf(both, 7, 1)).to.equal('https://www.example.com')
    for (const unknown of [null, undefined, 2])
      expect(await originOf(both, 7, unknown)).to.equal('http://demo.localhost')
    expect(await originOf(loader(80), 7)).to.equal(undefined)
  })
})
