import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { millrace, type Spawned, spawnMillrace } from '../support/millrace.ts'

const linkIn = (text: string): string => /http\S+/.exec(text)?.[0] ?? ''

describe('millrace users', function () {
  this.timeout(120_000)
  let data: string
  let service: Spawned | undefined
  before(async () => {
    data = await mkdtemp(path.join(tmpdir(), 'millrace-users-'))
    service = await spawnMillrace(data)
  })
  after(async () => {
    await service?.stop()
    await rm(data, { recursive: true, force: true })
  })

  const users = async (...args: readonly string[]) => millrace(['users', ...args, '--data', data])

  it('16 15: invites a person with a link to hand over, where no mail leaves the house', async () => {
    const { code, out, err } = await users('invite', 'Ada@Example.com', '--role', 'admin')
    expect([code, err]).to.deep.equal([0, ''])
    expect(out).to.contain('Ada@Example.com is invited. Hand over this link')
    expect(linkIn(out)).to.match(/^http:\/\/localhost:\d+\/invitations\/[\w-]+$/)
  })

  it('gives an open invitation another link, and says so as JSON', async () => {
    const again = JSON.parse((await users('invite', 'ADA@example.com', '--json')).out)
    expect(again).to.include({ email: 'Ada@Example.com', mailed: false })
    expect(again.role_ids).to.deep.equal(['admin'])
    const more = JSON.parse((await users('invite', 'ada@example.com', '--json')).out)
    expect(more.id).to.equal(again.id)
    expect(more.link).not.to.equal(again.link)
  })

  it('lists members, and who is invited', async () => {
    const { out } = await users('list')
    expect(out).to.match(/^TEAM +USER +EMAIL +NAME +ROLES +STATUS\n/)
    expect(out).to.match(/Ada@Example\.com +admin +invited\n/)
    const listed = (await users('list', '--json')).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(listed.map(({ status }) => status)).to.deep.equal(['member', 'open'])
    expect(listed[0].role_ids).to.deep.equal(['admin'])
    expect(JSON.stringify(listed)).not.to.contain('millrace.invalid')
  })

  it('refuses what is no address, a role that there is not, and an unknown team', async () => {
    for (const [args, said] of [
      [['invite', 'nobody'], 'nobody is no e-mail address'],
      [['invite', 'b@example.com', '--team', '999'], 'say which team with --team ID; there are\n  1  '],
      [['invite', 'b@example.com', '--role', 'owner'], 'Allowed choices are admin, member'],
    ] as const) {
      const { code, out, err } = await users(...args)
      expect([code, out]).to.deep.equal([1, ''])
      expect(err).to.contain(said)
    }
  })

  it('does so without a running service as well', async () => {
    await service?.stop()
    service = undefined
    const { link } = JSON.parse((await users('invite', 'bob@example.com', '--json')).out)
    expect(link).to.match(/^http:\/\/localhost:\d+\/invitations\/[\w-]+$/)
    expect((await users('list')).out).to.contain('bob@example.com')
  })
})
