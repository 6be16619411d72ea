import { expect } from 'chai'
import { contacts } from '../../../domain/contacts/public.ts'
import { ask } from '../../../domain/kernel/decide/ask.ts'
import { ok } from '../../support/client.ts'
import { destinationsIn } from '../../support/destinations.ts'
import { memberBrowser } from '../../support/member.ts'
import { canAdvertise, noticesOf, reached, type TestNotice, withheld } from '../../support/notices.ts'
import { populated } from '../../support/populated.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { begin, CONTENT } from '../../workers/mail/mailing-tenant.ts'

const mention = (id: number | undefined, says = '') => `<span data-mention="${id}">${says}</span>`

/** Everything of mails that could hold an address. */
const wordsOf = (notices: readonly TestNotice[]) =>
  notices.map(({ kept, mailing }) => JSON.stringify([kept?.subject, kept?.html, kept?.text, mailing])).join()

describe('what members of communities are told by mail', () => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    service = await testService()
  })
  beforeEach(async () => {
    tenant = await service.tenant({ test: true })
  })

  const notices = (kind: string) => noticesOf(service, tenant, kind)
  const change = async (commentId: number, fields: object) =>
    ok(
      await tenant.api.put(`/communities/spaces/posts/comments/${commentId}`, {
        communities_spaces_posts_comment: fields,
      }),
    )

  it('15 36 56: welcomes who joins, without the address of anybody, where the community says so', async () => {
    const { ids, make } = await populated(tenant, ['Ada'], { send_membership_email: true, name: 'Potters' })
    const [mail, ...others] = await notices('community_joined')
    expect(others).to.deep.equal([])
    expect(mail?.kept).to.include({ subject: 'Welcome to Potters' })
    expect(mail?.delivery.contact_id).to.equal(ids.Ada)
    expect(mail?.kept?.text).to.contain('Hello Ada,')
    expect(mail?.kept?.headers).to.deep.equal({ 'Auto-Submitted': 'auto-generated' })
    expect(wordsOf([mail!])).to.not.contain('secret.example')
    const silent = await make.community({ name: 'Silent', send_membership_email: false })
    await make.join(silent.id, ids.Ada!)
    expect(await notices('community_joined')).to.have.length(1)
  })

  it('15 58: one event, one person, one mail: who is mentioned in a reply to its own post gets one; the author never', async () => {
    const { make, spaceId, ids } = await populated(tenant, ['Ada', 'Bob', 'Cy'], { notifications: 'essential' })
    const { id: postId } = await make.post(spaceId, { title: 'Glazes', contact_id: ids.Ada })
    const body = `<p>Well, ${mention(ids.Ada)} and ${mention(ids.Bob)} know.</p>`
    const { body: first } = await make.comment(postId, { body, contact_id: ids.Bob })
    const second = { body: '<p>Thanks!</p>', contact_id: ids.Ada, parent_comment_id: first.id }
    await make.comment(postId, second)
    const mentioned = await notices('community_mention')
    expect(reached(mentioned)).to.deep.equal([ids.Ada])
    expect(mentioned[0]?.kept?.subject).to.equal('Bob mentioned you in Potters')
    expect(mentioned[0]?.kept?.text).to.contain('Well, @Ada and @Bob know.').and.contain('Glazes')
    const replies = await notices('community_reply')
    expect(reached(replies)).to.deep.equal([ids.Bob])
    expect(replies[0]?.kept?.subject).to.equal('Ada replied to you in Potters')
    expect(await notices('community_post')).to.deep.equal([])
    expect(wordsOf([...mentioned, ...replies])).to.not.contain('secret.example')
  })

  it('15 58 59: edits tell only those mentioned for the first time, also after they were taken out and added again', async () => {
    const { make, spaceId, ids } = await populated(tenant, ['Ada', 'Bob', 'Cy'], { notifications: 'essential' })
    const { id: postId } = await make.post(spaceId, { contact_id: ids.Ada })
    const { body: comment } = await make.comment(postId, { body: `<p>${mention(ids.Bob)}</p>`, contact_id: ids.Ada })
    expect(reached(await notices('community_mention'))).to.deep.equal([ids.Bob])
    for (const people of [[], [ids.Bob], [ids.Bob, ids.Cy], [ids.Cy]]) {
      await change(Number(comment.id), { body: `<p>So ${people.map((id) => mention(id)).join()}</p>` })
      await service.caughtUp()
    }
    const told = await notices('community_mention')
    expect(reached(told)).to.deep.equal([ids.Bob, ids.Cy])
  })

  it('15 58: skip_notifications holds for a comment and for its edits', async () => {
    const { make, spaceId, ids } = await populated(tenant, ['Ada', 'Bob', 'Cy'], { notifications: 'essential' })
    const { id: postId } = await make.post(spaceId, { contact_id: ids.Ada })
    const body = `<p>${mention(ids.Bob)}</p>`
    const { body: comment } = await make.comment(postId, { body, contact_id: ids.Cy, skip_notifications: true })
    await change(Number(comment.id), { body: `${body} and ${mention(ids.Ada)}` })
    await service.caughtUp()
    expect([...(await notices('community_mention')), ...(await notices('community_reply'))]).to.deep.equal([])
    await change(Number(comment.id), {
      body: `${body}${mention(ids.Ada)}${mention(ids.Cy)}`,
      skip_notifications: false,
    })
    expect(await notices('community_mention'), 'those were mentioned before').to.deep.equal([])
  })

  it('15 60: a text mentions any number and mails 25', async () => {
    const names = Array.from({ length: 28 }, (_, n) => `M${n}`)
    const { make, spaceId, ids } = await populated(tenant, names, { notifications: 'essential' })
    const body = names.map((name) => mention(ids[name])).join(' ')
    const post = await make.post(spaceId, { body })
    const told = await notices('community_mention')
    expect(reached(told)).to.deep.equal(names.slice(0, 25).map((name) => ids[name]))
    expect(post).to.include({ mentions_not_mailed_count: 3 })
  })

  it('tells of a post at once those who follow all that is new, as community and member say', async () => {
    await canAdvertise(tenant)
    const { make, spaceId, ids, memberships } = await populated(tenant, ['Ada', 'Bob', 'Cy', 'Di'])
    for (const [name, notifications] of [
      ['Bob', 'essential'],
      ['Cy', 'off'],
    ] as const)
      expect(
        (
          await tenant.api.put(`/communities/memberships/${memberships[name]}`, {
            communities_membership: { notifications },
          })
        ).body,
      ).to.include({ notifications })
    const body = `<p>New: ${mention(ids.Cy)} ${mention(ids.Bob)}</p>`
    await make.post(spaceId, { title: 'Kiln day', contact_id: ids.Ada, body })
    const told = await notices('community_post')
    expect(reached(told)).to.deep.equal([ids.Di])
    expect(told[0]?.kept?.subject).to.equal('Potters: Kiln day')
    expect(told[0]?.kept?.headers['List-Unsubscribe-Post']).to.equal('List-Unsubscribe=One-Click')
    expect(told[0]?.kept?.text).to.contain('Unsubscribe:').and.contain('New: @Cy @Bob')
    const mentioned = await notices('community_mention')
    expect(reached(mentioned)).to.deep.equal([ids.Bob])
    expect(withheld(mentioned)).to.deep.equal({ [ids.Cy!]: 'muted' })
  })

  it('mails nobody of what a workspace has turned off, nor advertising without a business address', async () => {
    const { make, spaceId, ids } = await populated(tenant, ['Ada', 'Bob'])
    const off = { off: ['community_mention'] }
    ok(await tenant.api.put(`/workspaces/${tenant.workspaceId}/emails/owed_mails`, { owed_mails: off }))
    await make.post(spaceId, { contact_id: ids.Ada, body: mention(ids.Bob) })
    expect([...(await notices('community_mention')), ...(await notices('community_post'))]).to.deep.equal([])
  })

  it('reaches who has unsubscribed with what concerns it, but nobody who has complained', async () => {
    const { make, spaceId, ids } = await populated(tenant, ['Ada', 'Bob', 'Cy'], { notifications: 'essential' })
    await tenant.carryOut!(ask(contacts, ids.Bob!, 'unsubscribe', {}))
    await tenant.carryOut!(ask(contacts, ids.Cy!, 'suppress', { reason: 'complained' }))
    await make.post(spaceId, { contact_id: ids.Ada, body: mention(ids.Bob) + mention(ids.Cy) })
    const told = await notices('community_mention')
    expect(reached(told)).to.deep.equal([ids.Bob])
    expect(told.map(({ delivery: { status } }) => status)).to.deep.equal(['kept', 'suppressed'])
  })

  it('15 34 37 61: asks when a mail is handed over whether its recipient sees it, is no longer banned, and wants it', async () => {
    const names = ['Ada', 'Bob', 'Cy', 'Di', 'Ed', 'Flo']
    const { make, communityId, groupId, spaceId, ids, memberships } = await populated(tenant, names)
    const secret = await make.space(groupId, { name: 'Secret', access: 2 })
    const isIn = async (name: string, space_ids: unknown) =>
      ok(
        await tenant.api.put(`/communities/memberships/${memberships[name]}`, {
          communities_membership: { space_ids },
        }),
      )
    for (const name of names) await isIn(name, [spaceId, secret.id])
    const body = names.map((name) => mention(ids[name])).join()
    const [seen, hidden] = [await make.post(spaceId, { title: 'Seen', body }), await make.post(secret.id, { body })]
    for (const name of names) await isIn(name, [spaceId])
    await make.ban(communityId, ids.Bob!)
    await tenant.api.delete(`/communities/memberships/${memberships.Cy}`)
    await tenant.api.put(`/communities/memberships/${memberships.Di}`, {
      communities_membership: { notifications: 'off' },
    })
    await tenant.api.put(`/communities/memberships/${memberships.Ed}`, {
      communities_membership: { moderator: true },
    })
    await service.caughtUp()
    const queued = async (post_id: unknown, more: object = {}) => {
      const values = { community_id: communityId, post_id: Number(post_id), ...more }
      const id = await begin(tenant, Object.values(ids), {
        ...{ class: 'owed', kind: 'community_mention', values },
        content: { ...CONTENT, html_body: '<p>{{ author }}: {{ post.title }}</p>', footer: null },
      })
      return (await noticesOf(service, tenant, 'community_mention')).filter(({ mailing }) => mailing.id === id)
    }
    const told = await queued(seen.id)
    expect(reached(told)).to.deep.equal([ids.Ada, ids.Ed, ids.Flo])
    expect(withheld(told)).to.deep.equal({ [ids.Bob!]: 'no_access', [ids.Cy!]: 'no_access', [ids.Di!]: 'muted' })
    expect(reached(await queued(hidden.id)), 'only a moderator sees it').to.deep.equal([ids.Ed])
    await tenant.api.post(`/communities/spaces/posts/${seen.id}/decline`)
    expect(reached(await queued(seen.id))).to.deep.equal([ids.Ed])
    await tenant.api.put(`/communities/spaces/posts/${hidden.id}`, { communities_spaces_post: { body: '' } })
    expect(withheld(await queued(hidden.id))[ids.Ed!], 'it mentions nobody any more').to.equal('outdated')
    await tenant.api.delete(`/communities/spaces/posts/${hidden.id}`)
    expect(withheld(await queued(hidden.id))[ids.Ed!]).to.equal('outdated')
  })

  it('15 55 57: names whom a mail mentions as they are called now; who is gone is a former member', async () => {
    const { make, spaceId, ids } = await populated(tenant, ['Ada', 'Bob', 'Cy'], { notifications: 'essential' })
    const body = `<p>${mention(ids.Cy, 'Gone')} &lt;3</p>`
    const post = await make.post(spaceId, { body, contact_id: ids.Ada })
    ok(await tenant.api.delete(`/contacts/${ids.Cy}`))
    const ada = ok(await tenant.api.put(`/contacts/${ids.Ada}`, { contact: { first_name: null } }))
    const edited = `<p>${mention(ids.Bob, 'Bobby')} and ${mention(ids.Cy, 'Gone')} &lt;3</p>`
    ok(await tenant.api.put(`/communities/spaces/posts/${post.id}`, { communities_spaces_post: { body: edited } }))
    const [, mail] = await notices('community_mention')
    expect(mail?.kept?.text).to.contain('@Bob and @former member <3')
    expect(mail?.kept?.subject).to.equal(`Member ${String(ada.public_id)} mentioned you in Potters`)
    expect(mail?.kept?.html).to.contain('&lt;3')
    const [link] = destinationsIn(mail?.kept?.html ?? '')
    expect(link).to.match(/^https?:\/\/[^/]+\/members\/read\/[\w-]+$/)
  })

  it('15 34 87: a link of a mail opens the post that it is about, for reading, until its recipient is banned', async () => {
    const { make, communityId, spaceId, ids } = await populated(tenant, ['Ada', 'Bob'], {
      notifications: 'essential',
      private: true,
    })
    const body = `<p>Only members know. ${mention(ids.Bob)}</p>`
    const { id } = await make.post(spaceId, { title: 'Kiln day', contact_id: ids.Ada, body })
    const [mail] = await notices('community_mention')
    const link = new URL(destinationsIn(mail?.kept?.html ?? '')[0] ?? '')
    const browser = memberBrowser(service, link.hostname)
    const { headers } = await browser.get(link.pathname)
    expect(headers.location).to.equal(`/members/posts/${id}`)
    const page = await browser.get(String(headers.location))
    expect(page.status).to.equal(200)
    expect(page.text).to.contain('Only members know.').and.not.contain('secret.example')
    const start = await browser.get(`/members/communities/${communityId}`)
    expect(start.headers.location, 'a link opens nothing else').to.match(/^\/members\/sign-in/)
    await make.ban(communityId, ids.Bob!)
    const closed = await browser.get(String(headers.location))
    expect(closed.text).to.not.contain('Only members know.')
  })
})
