import { expect } from 'chai'
import { type DeliveryRecord, delivery, mailing } from '../../domain/emails/public.ts'
import { broadcastOf, draft, order } from '../api/mail/broadcasting.ts'
import { ok } from '../support/client.ts'
import { communitiesOf } from '../support/communities.ts'
import { coursesOf } from '../support/courses.ts'
import { eventually } from '../support/eventually.ts'
import { canAdvertise } from '../support/notices.ts'
import { startGatedRelay } from '../support/servers/gated-relay.ts'
import { startTestService, type Tenant, type TestService } from '../support/service.ts'
import { createContacts } from '../workers/mail/mailing-tenant.ts'
import { byForm, patience, printFigures } from './form.ts'

/** How long relays take for a mail. */
const TAKES_MS = byForm([100], [100, 1000, 4000])
const PEOPLE = byForm(36, 90)

type Status = { readonly status: number }

/** Mails that are begun, and how those whom they are to say no. */
interface Begun {
  /** Says no for one contact. @param deliveryId its mail */
  no?(contactId: number, deliveryId: number): Promise<Status>
  /** Says no for all, for good or until it is taken back. */
  noToAll?(): Promise<Status>
  takeBack?(): Promise<Status>
}

describe('mail after a no, over slow relays', function () {
  this.timeout(patience)

  const movedTo = (id: number) => `moved${id}@elsewhere.example`

  /** Begins a broadcast. @param more fields of it */
  const toAll = async (tenant: Tenant, addresses: readonly string[]) => {
    await createContacts(tenant, addresses)
    const id = await draft(tenant)
    return { id, action: Number(ok(await order(tenant, id)).id) }
  }
  const toEach =
    (no: (tenant: Tenant, service: TestService, contactId: number, deliveryId: number) => Promise<Status>) =>
    async (tenant: Tenant, addresses: readonly string[], service: TestService): Promise<Begun> => {
      await toAll(tenant, addresses)
      return { no: (contactId, deliveryId) => no(tenant, service, contactId, deliveryId) }
    }
  const linkOf = ({ background }: TestService, kind: 'unsubscribe' | 'preferences', deliveryId: number) =>
    background.core.mailLinks.urlOf({ kind, deliveryId })

  const ROWS: Readonly<
    Record<string, (tenant: Tenant, addresses: readonly string[], service: TestService) => Promise<Begun>>
  > = {
    unsubscribed: toEach((_, service, __, deliveryId) =>
      fetch(linkOf(service, 'unsubscribe', deliveryId), { method: 'POST', body: 'List-Unsubscribe=One-Click' }),
    ),
    'turned a topic off': toEach(async (_, service, __, deliveryId) => {
      const url = linkOf(service, 'preferences', deliveryId)
      const topics = /name="topics" value="([\d,]+)"/.exec(await (await fetch(url)).text())?.[1] ?? ''
      return fetch(url, { method: 'POST', body: new URLSearchParams({ topics, act: 'save', mail: '1' }) })
    }),
    erased: toEach(({ api }, _, id) => api.delete(`/contacts/${id}/gdpr_destroy`)),
    deleted: toEach(({ api }, _, id) => api.delete(`/contacts/${id}`)),
    'given another address': toEach(({ api }, _, id) =>
      api.put(`/contacts/${id}`, { contact: { email_address: movedTo(id) } }),
    ),
    banned: async (tenant, addresses) => {
      await canAdvertise(tenant)
      const make = communitiesOf(tenant)
      const { id: communityId } = await make.community({ send_membership_email: false, notifications: 'all' })
      const { id: spaceId } = await make.space((await make.group(communityId)).id)
      for (const id of await createContacts(tenant, addresses))
        ok(await make.join(communityId, id, { space_ids: [spaceId] }))
      await make.post(spaceId)
      return { no: (id) => make.ban(communityId, id) }
    },
    'kept out of a course': async (tenant, addresses) => {
      const make = coursesOf(tenant)
      const { id: courseId } = await make.course()
      await make.publish(courseId)
      const enrollments = new Map<number, number>()
      for (const id of await createContacts(tenant, addresses))
        enrollments.set(id, Number(ok(await make.enroll(courseId, id)).id))
      const { id: sectionId } = await make.section(courseId)
      await make.lesson(sectionId)
      const courses_sections_publish_action = { auto_enroll: true, send_email: true, target_ids: [sectionId] }
      ok(await tenant.api.post(`/courses/${courseId}/sections/publish_actions`, { courses_sections_publish_action }))
      return {
        no: (id) =>
          tenant.api.put(`/courses/enrollments/${enrollments.get(id)}`, { courses_enrollment: { suspended: true } }),
      }
    },
    paused: async (tenant, addresses) => {
      const { id } = await toAll(tenant, addresses)
      return {
        noToAll: () => tenant.api.post(`/emails/broadcasts/${id}/pause`, undefined),
        takeBack: () => tenant.api.post(`/emails/broadcasts/${id}/resume`, undefined),
      }
    },
    canceled: async (tenant, addresses) => {
      const { id, action } = await toAll(tenant, addresses)
      expect((await broadcastOf(tenant, id)).status).to.not.equal('complete')
      return { noToAll: () => tenant.api.delete(`/emails/broadcasts/send_actions/${action}`) }
    },
  }

  for (const takesMs of TAKES_MS)
    describe(`that take ${takesMs / 1000} s a mail`, () => {
      let relay: Awaited<ReturnType<typeof startGatedRelay>>
      let service: TestService
      before(async () => {
        relay = await startGatedRelay({ takesMs })
        service = await startTestService({ SMTP_URL: relay.url })
      })
      afterEach(() => relay.answers.open())
      after(() => relay.stop())

      const deliveries = async ({ workspaceId }: Tenant): Promise<readonly DeliveryRecord[]> => {
        const { live } = service.background.stores.readModels
        const mailings = await live.find(mailing.name, { where: { workspace_id: workspaceId } })
        const where = { mailing_id: { $in: mailings.map(({ id }) => Number(id)) } }
        return (await live.find(delivery.name, { where })) as unknown as readonly DeliveryRecord[]
      }
      const countOf = async (tenant: Tenant, ...among: readonly string[]) =>
        (await deliveries(tenant)).filter(({ status }) => among.includes(status)).length
      const left = (tenant: Tenant) => () => countOf(tenant, 'waiting', 'taken')

      /** Holds all mails once as many have begun, has a no said, and expects that its answer finds nothing begun meanwhile. */
      const saying = async (tenant: Tenant, since: number, count: number, no: () => Promise<void>) => {
        await eventually(async () => expect(relay.begun.length - since).to.be.at.least(count))
        await relay.hold(left(tenant))
        const before = relay.senders()
        await no()
        expect(relay.senders(), 'while it was said').to.equal(before)
        return relay.begun.slice(since)
      }

      for (const [what, begin] of Object.entries(ROWS))
        it(`none begins to whom was ${what}`, async () => {
          const tenant = await service.tenant()
          const addresses = Array.from({ length: PEOPLE }, (_, n) => `p${n}@d${n % 12}.example`)
          const [since, senders] = [relay.begun.length, relay.senders()]
          const { no, noToAll, takeBack } = await begin(tenant, addresses, service)
          const refused = new Set<string>()
          const moved: string[] = []
          const toSome = async () => {
            const mails = await deliveries(tenant)
            const begun = new Set(relay.begun.slice(since))
            for (const [n, { id, contact_id }] of mails.entries()) {
              const { email_address: address } = ok(await tenant.api.get(`/contacts/${contact_id}`))
              if (n % 3 === 0 || begun.has(address) || refused.has(address) || !addresses.includes(address)) continue
              const { status } = await no!(Number(contact_id), id)
              expect(status).to.be.within(200, 204)
              refused.add(address)
              if (what === 'given another address') moved.push(movedTo(Number(contact_id)))
            }
          }
          const toWhole = async () => {
            expect((await noToAll!()).status).to.be.within(200, 204)
          }
          const begunBefore = await saying(tenant, since, 1, no ? toSome : toWhole)
          if (noToAll) for (const one of addresses) if (!begunBefore.includes(one)) refused.add(one)
          expect(refused.size).to.be.greaterThan(0)
          relay.answers.open()
          const settled = takeBack ? ['taken'] : ['waiting', 'taken']
          await eventually(async () => expect(await countOf(tenant, ...settled)).to.equal(0))
          const begun = relay.begun.slice(since)
          expect(begun.filter((one) => refused.has(one))).to.deep.equal([])
          const others = addresses.filter((one) => !refused.has(one))
          expect(begun).to.have.members([...others, ...moved])
          expect(relay.senders() - senders, 'each MAIL FROM was for one of them').to.equal(begun.length)
          printFigures(
            what,
            `${takesMs} ms a mail, ${begun.length} begun, ${refused.size} refused, 0 of them begun after the answer`,
          )
          if (!takeBack) return
          expect((await takeBack()).status).to.be.within(200, 204)
          await eventually(async () => expect(await countOf(tenant, 'waiting', 'taken')).to.equal(0))
          expect(relay.begun.slice(since)).to.have.members(addresses)
        })
    })
})
