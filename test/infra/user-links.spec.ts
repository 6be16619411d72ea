import { expect } from 'chai'
import { userLinks } from '../../infra/mail/user-links.ts'
import { deriveSecret } from '../../infra/runtime/secrets.ts'
import { secretsFrom } from '../support/secrets.ts'

const secretsOf = (master: string) =>
  secretsFrom((purpose, nonce) => deriveSecret(Buffer.from(master), `${purpose}:${nonce}`))
const tokenIn = (path: string): string => path.split('/').at(-1) ?? ''

describe('links by which users get in', () => {
  const links = userLinks(secretsOf('one'))

  it('name a user and a number', () => {
    for (const link of [
      { userId: 1, number: 1 },
      { userId: 2 ** 53 - 1, number: 70_000 },
    ]) {
      const path = links.pathOf(link)
      expect(path).to.match(/^\/in\/[\w-]{30,60}$/)
      expect(links.read(tokenIn(path))).to.deep.equal(link)
    }
  })

  it('are nothing when they were changed, cut, spelled otherwise, or signed by another secret', () => {
    const token = tokenIn(links.pathOf({ userId: 5, number: 3 }))
    const bytes = Buffer.from(token, 'base64url')
    const others = [...bytes.keys()].map((at) => {
      const changed = Buffer.from(bytes)
      changed[at]! ^= 1
      return changed.toString('base64url')
    })
    const wrong = [...others, token.slice(0, -1), token.slice(0, 20), `${token}A`, `${token}=`, '', 'x'.repeat(5000)]
    for (const one of wrong) expect(links.read(one), one).to.equal(undefined)
    expect(userLinks(secretsOf('two')).read(token)).to.equal(undefined)
  })
})
