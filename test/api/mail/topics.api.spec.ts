import { expect } from 'chai'
import { readKept } from '../../../infra/mail/files.ts'
import { ok } from '../../support/client.ts'
import { destinationsIn } from '../../support/destinations.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { begin, createContacts, deliveriesOf, OWED, settledOf, statusesOf } from '../../workers/mail/mailing-tenant.ts'
import { broadcastOf, deliveriesOfBroadcast, draft, order, settledBroadcast } from './broadcasting.ts'

const PREFERENCES = 1

describe('topics of mail', () => {
  let service: TestService
  let tenant: Tenant
  let offers: number
  let news: number

  const addTopic = async (name: string, description: string | null = null): Promise<number> =>
    ok(
      await tenant.api.post(`/workspaces/${tenant.workspaceId}/emails/topics`, { emails_topic: { name, description } }),
    ).id

  beforeEach(async () => {
    service = await testService()
    tenant = await service.tenant()
    offers = await addTopic('Offers & <more>', 'Twice a month')
    news = await addTopic('News')
  })

  /** Returns the links of a mail: those to unsubscribe and to the preferences. */
  const linksOf = async (mailing: number, deliveryId: number) => {
    const mail = (await readKept(service.background.stores, mailing, deliveryId))!
    const own = [...new Set(destinationsIn(mail.html).filter((url) => /\/m\//.test(url)))]
    return { unsubscribe: own[0]!, preferences: own[PREFERENCES]! }
  }
  /** Mails contacts about topics. @returns the mailing, its deliveries, and the preferences of the first of them */
  const mailed = async (contactIds: readonly number[], topicIds: readonly number[] = [news]) => {
    const mailing = await begin(tenant, contactIds, { topicIds })
    const deliveries = await settledOf(service, mailing)
    return { mailing, deliveries, statuses: statusesOf(deliveries) }
  }
  const preferencesOf = async (contactId: number) => {
    const { mailing, deliveries } = await mailed([contactId], [])
    return (await linksOf(mailing, deliveries[0]!.id)).preferences
  }
  const pageOf = async (url: string) => (await fetch(url)).text()
  const save = async (url: string, fields: Record<string, string>) => {
    const shown = /name="topics" value="([\d,]+)"/.exec(await pageOf(url))?.[1] ?? ''
    const body = new URLSearchParams({ topics: shown, act: 'save', ...fields })
    const html = await (await fetch(url, { method: 'POST', body })).text()
    await service.caughtUp()
    return html
  }
  const box = (html: string, id: number) => new RegExp(`name="topic_${id}" value="1"( checked)?>`).exec(html)

  it('14 2: a contact gets nothing about a topic that it does not want, and the rest still', async () => {
    const [id = 0] = await createContacts(tenant, ['chooser@topics.example'])
    const url = await preferencesOf(id)
    const html = await pageOf(url)
    expect(html).to.contain('Offers &amp; &lt;more&gt;<br><small>Twice a month</small>').and.not.contain('<script')
    expect([box(html, offers)?.[1], box(html, news)?.[1]]).to.deep.equal([' checked', ' checked'])
    const saved = await save(url, { mail: '1', [`topic_${news}`]: '1' })
    expect([box(saved, offers)?.[1], box(saved, news)?.[1]]).to.deep.equal([undefined, ' checked'])
    expect((await mailed([id], [news])).statuses).to.deep.equal(['kept'])
    expect((await mailed([id], [offers])).statuses).to.deep.equal(['topic'])
    expect((await mailed([id], [news, offers])).statuses, 'one of several').to.deep.equal(['topic'])
    const { unsubscribed_at } = ok(await tenant.api.get(`/contacts/${id}`))
    expect(unsubscribed_at).to.equal(null)
    await save(url, { mail: '1', [`topic_${news}`]: '1', [`topic_${offers}`]: '1' })
    expect((await mailed([id], [offers])).statuses).to.deep.equal(['kept'])
  })

  it('14 1: mail that is owed has no topics', async () => {
    const [id = 0] = await createContacts(tenant, ['owed@topics.example'])
    await save(await preferencesOf(id), { mail: '1' })
    expect((await mailed([id])).statuses).to.deep.equal(['topic'])
    const receipt = await begin(tenant, [id], { class: 'owed', kind: 'order_confirmation', content: OWED })
    expect(statusesOf(await settledOf(service, receipt))).to.deep.equal(['kept'])
  })

  it('14 11: fetching the page changes no topics, and a topic that it did not show stays wanted', async () => {
    const [id = 0] = await createContacts(tenant, ['late@topics.example'])
    const url = await preferencesOf(id)
    const shown = String(news)
    const body = new URLSearchParams({ act: 'save', topics: shown, mail: '1' })
    await fetch(url, { method: 'POST', body })
    await service.caughtUp()
    for (const method of ['GET', 'HEAD']) await fetch(url, { method })
    expect((await mailed([id], [news])).statuses).to.deep.equal(['topic'])
    expect((await mailed([id], [offers])).statuses).to.deep.equal(['kept'])
    expect((await mailed([id], [await addTopic('Later')])).statuses).to.deep.equal(['kept'])
  })

  it('14 24: the outcomes of a broadcast count those who do not want its topic', async () => {
    const [, id = 0] = await createContacts(tenant, ['wants@topics.example', 'wants.not@topics.example'])
    const broadcast = await draft(tenant, { topic_ids: [offers] })
    await save(await preferencesOf(id), { mail: '1', [`topic_${news}`]: '1' })
    expect((await order(tenant, broadcast)).status).to.equal(201)
    await settledBroadcast(tenant, broadcast)
    expect(statusesOf(await deliveriesOfBroadcast(service, broadcast))).to.have.members(['kept', 'topic'])
    const stats = ok(await tenant.api.get(`/emails/broadcasts/${broadcast}/stats`))
    expect(JSON.stringify(stats)).to.contain('"topic":1')
  })

  it('14 15: links work on after the topic is archived and the broadcast is over', async () => {
    const [id = 0] = await createContacts(tenant, ['long@topics.example'])
    const broadcast = await draft(tenant, { topic_ids: [offers] })
    ok(await order(tenant, broadcast))
    await settledBroadcast(tenant, broadcast)
    const [sent] = await deliveriesOfBroadcast(service, broadcast)
    const { unsubscribe, preferences } = await linksOf(sent!.mailing_id, sent!.id)
    ok(await tenant.api.delete(`/emails/topics/${offers}`))
    const html = await save(preferences, { mail: '1' })
    expect(html).to.contain('News').and.not.contain('Offers')
    expect((await mailed([id], [news])).statuses).to.deep.equal(['topic'])
    await fetch(unsubscribe, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
    await service.caughtUp()
    expect(ok(await tenant.api.get(`/contacts/${id}`)).unsubscribed_at).to.be.a('string')
    expect((await broadcastOf(tenant, broadcast)).status).to.equal('complete')
    expect(await deliveriesOf(service, sent!.mailing_id)).to.have.length(1)
  })
})
