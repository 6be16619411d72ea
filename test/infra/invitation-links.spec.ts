import { createHash } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { INVITATION_PATH } from '../../domain/kernel/ports/invitation-links.ts'
import { invitationLinks } from '../../infra/mail/invitation-links.ts'
import { seedOfRun } from '../support/random.ts'
import { secretsFrom } from '../support/secrets.ts'

const secretsOf = (master: string) =>
  secretsFrom((purpose, nonce) => createHash('sha256').update(`${master} ${purpose} ${nonce}`).digest())
const links = invitationLinks(secretsOf('ours'))
const tokenOf = (path: string): string => path.slice(INVITATION_PATH.length)
const ids = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })

describe('Links of invitations', () => {
  it('16 25: are read as they were made, and fit the invited address in whatever case it is written', () => {
    fc.assert(
      fc.property(fc.record({ teamId: ids, invitationId: ids, number: ids }), (made) => {
        const { fits, ...read } = links.read(tokenOf(links.pathOf(made, 'Ada@Far.example')))!
        expect(read).to.deep.equal(made)
        expect([fits('ada@FAR.example'), fits('ada@near.example')]).to.deep.equal([true, false])
      }),
      { seed: seedOfRun() },
    )
  })

  it('16 23: are nothing once a character of them is changed, nor in another installation', () => {
    const token = tokenOf(links.pathOf({ teamId: 3, invitationId: 4, number: 1 }, 'a@b.example'))
    for (const at of token.split('').keys()) {
      const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
      expect(links.read(changed)?.fits('a@b.example') ?? false, `character ${at}`).to.equal(false)
    }
    for (const torn of ['', 'x', token.slice(0, 20), `${token}=`])
      expect(links.read(torn)?.fits('a@b.example') ?? false, torn).to.equal(false)
    expect(invitationLinks(secretsOf('theirs')).read(token)?.fits('a@b.example')).to.equal(false)
  })
})
