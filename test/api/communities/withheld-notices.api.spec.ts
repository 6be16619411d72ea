import { expect } from 'chai'
import { notice } from '../../../domain/communities/notice/model.ts'
import { type DeliveryRecord, delivery, mailing } from '../../../domain/emails/public.ts'
import { ok } from '../../support/client.ts'
import { eventually } from '../../support/eventually.ts'
import { losingAnswers } from '../../support/lost-answers.ts'
import { canAdvertise } from '../../support/notices.ts'
import { populated } from '../../support/populated.ts'
import { startGatedRelay } from '../../support/servers/gated-relay.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'

const BOB = 'bob@secret.example'
const mention = (id: number | undefined) => `<p><span data-mention="${id}"></span></p>`

describe('what is declined while a mail about it is under way, and approved again', () => {
  let service: TestService
  let tenant: Tenant
  let relay: Awaited<ReturnType<typeof startGatedRelay>>

  beforeEach(async () => {
    relay = await startGatedRelay()
    relay.connections.shut()
    service = await startTestService({ SMTP_URL: relay.url }, (log) =>
      losingAnswers(log, { isRepeated: ({ stream }) => stream.startsWith(`${notice.name}-`), loses: () => true }),
    )
    tenant = await service.tenant()
  })
  afterEach(() => relay.stop())

  /** Waits until the mails about it stand as expected. */
  const mailsAre = (kind: string, ...expected: readonly string[]) =>
    eventually(async () => {
      await service.caughtUp()
      const { live } = service.background.stores.readModels
      const where = { workspace_id: tenant.workspaceId }
      const mailings = (await live.find(mailing.name, { where })).filter((one) => one.kind === kind)
      const ids = mailings.map(({ id }) => Number(id))
      const found = await live.find(delivery.name, { where: { mailing_id: { $in: ids } } })
      expect((found as unknown as readonly DeliveryRecord[]).map(({ status }) => status)).to.deep.equal(expected)
    })

  interface Written {
    /** Kind of the mail about it. */
    readonly kind: string
    /** Path under which it is judged. */
    readonly path: string
  }

  /** What Ada writes, of which Bob is mailed. */
  const written: Readonly<Record<string, (of: Awaited<ReturnType<typeof populated>>) => Promise<Written>>> = {
    'a post that mentions': async ({ make, spaceId, ids }) => {
      const { id } = await make.post(spaceId, { contact_id: ids.Ada, body: mention(ids.Bob) })
      return { kind: 'community_mention', path: `/communities/spaces/posts/${id}` }
    },
    'a comment that mentions': async ({ make, spaceId, ids }) => {
      const { id: postId } = await make.post(spaceId, { contact_id: ids.Ada })
      const { id } = ok(await make.comment(postId, { contact_id: ids.Ada, body: mention(ids.Bob) }))
      return { kind: 'community_mention', path: `/communities/spaces/posts/comments/${id}` }
    },
    'a reply': async ({ make, spaceId, ids }) => {
      const { id: postId } = await make.post(spaceId, { contact_id: ids.Bob })
      const { id } = ok(await make.comment(postId, { contact_id: ids.Ada }))
      return { kind: 'community_reply', path: `/communities/spaces/posts/comments/${id}` }
    },
    'a post': async ({ make, spaceId, ids }) => {
      const { id } = await make.post(spaceId, { contact_id: ids.Ada })
      return { kind: 'community_post', path: `/communities/spaces/posts/${id}` }
    },
  }

  for (const [what, write] of Object.entries(written))
    it(`is mailed once, though every answer about whom it was told to is lost: ${what}`, async () => {
      const isAdvertising = what === 'a post'
      const notifications = isAdvertising ? 'all' : 'essential'
      if (isAdvertising) await canAdvertise(tenant)
      const { kind, path } = await write(await populated(tenant, ['Ada', 'Bob'], { notifications }))
      await mailsAre(kind, 'taken')
      const judge = async (as: 'approve' | 'decline') => ok(await tenant.api.post(`${path}/${as}`))
      await judge('decline')
      relay.connections.open()
      await mailsAre(kind, 'withheld')
      expect(relay.begun).to.deep.equal([])
      await judge('approve')
      await mailsAre(kind, 'withheld', 'sent')
      for (const as of ['decline', 'approve'] as const) await judge(as)
      await waitUntilSettled(service)
      await mailsAre(kind, 'withheld', 'sent')
      expect(relay.begun).to.deep.equal([BOB])
    })
})
