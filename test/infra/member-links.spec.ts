import { createHash } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import type { MemberLink } from '../../domain/kernel/ports/member-links.ts'
import { isMemberLink, memberLinks } from '../../infra/mail/member-links.ts'
import { seedOfRun } from '../support/random.ts'
import { secretsFrom } from '../support/secrets.ts'

const secretsOf = (master: string) =>
  secretsFrom((purpose, nonce) => createHash('sha256').update(`${master} ${purpose} ${nonce}`).digest())
const links = memberLinks(secretsOf('ours'))
const tokenOf = (path: string): string => path.split('/').at(-1)!
const ids = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const anyLink = fc.oneof(
  fc.record({ kind: fc.constant('entry'), accountId: ids, number: ids }),
  fc.record({ kind: fc.constant('reading'), contactId: ids, expires: ids, path: fc.webPath() }),
) as fc.Arbitrary<MemberLink>

describe('Links to the members’ side', () => {
  it('are read as they were made, and fit the address that they were made for', () => {
    fc.assert(
      fc.property(anyLink, (made) => {
        const path = links.pathOf(made, 'Ada@far.example')
        const { fits, ...read } = links.read(tokenOf(path))!
        expect(read).to.deep.equal(made)
        expect([fits('ada@FAR.example'), fits('ada@near.example')]).to.deep.equal([true, false])
        expect(isMemberLink(`https://shop.example${path}`)).to.equal(true)
      }),
      { seed: seedOfRun() },
    )
  })

  it('15 87 91: are nothing once a character of them is changed, nor in another installation', () => {
    const token = tokenOf(
      links.pathOf(
        { kind: 'reading', contactId: 5, path: '/members/lessons/3', expires: 2_000_000_000 },
        'a@b.example',
      ),
    )
    for (const at of token.split('').keys()) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
      expect(links.read(changed)?.fits('a@b.example') ?? false, `character ${at}`).to.equal(false)
    }
    for (const torn of ['', 'x', token.slice(0, 20), `${token}=`])
      expect(links.read(torn)?.fits('a@b.example') ?? false, torn).to.equal(false)
    expect(memberLinks(secretsOf('theirs')).read(token)?.fits('a@b.example')).to.equal(false)
  })

  it('15 92: are the only addresses that nobody rewrites', () => {
    expect(isMemberLink('https://shop.example/members/courses/1')).to.equal(false)
    expect(isMemberLink('no address')).to.equal(false)
  })
})
