import { expect } from 'chai'
import { missedAreToldAgain, withheldNoticesAreNoted } from '../../../domain/communities/mails/telling-policies.ts'
import { notice } from '../../../domain/communities/notice/model.ts'
import { mailing } from '../../../domain/emails/public.ts'
import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { AT } from '../../support/decider.ts'
import { MemoryReadModels } from '../../support/memory/read-models.ts'
import { unbound } from '../../support/unbound.ts'

const [BOB, CY, DI] = [7, 8, 9]
const POST = 4
const MAILING = 21

type Rows = Readonly<Record<string, readonly Document[]>>

const member = (contact_id: number, more: object = {}) => ({
  ...{ id: contact_id, community_id: 3, contact_id, moderator: false, space_ids: [], notifications: null },
  ...more,
})
const shown = { approved_at: AT, declined_at: null }
const text = (...ids: readonly number[]) => ids.map((id) => `<span data-mention="${id}"></span>`).join('')

/** What there is when a post has mentioned some members. */
const documents = async (rows: Rows = {}) => {
  const models = new MemoryReadModels()
  const all: Rows = {
    community: [{ id: 3, name: 'Potters', status: 'live', private: false, notifications: 'essential' }],
    'communities/space_group': [{ id: 1, community_id: 3, access: 'is_open', is_hidden_from_non_members: false }],
    'communities/space': [{ id: 11, community_id: 3, space_group_id: 1, name: 'Glazes', access: 'is_open' }],
    'communities/membership': [member(BOB), member(CY), member(DI)],
    'communities/spaces/post': [
      { id: POST, community_id: 3, space_id: 11, contact_id: 5, body: text(BOB, CY), ...shown },
    ],
    'communities/notice': [{ id: 1, community_id: 3, post_id: POST, comment_id: null, told_ids: [BOB, CY, DI] }],
    ...rows,
  }
  const changes = Object.entries(all).flatMap(([collection, found]) =>
    found.map((document) => ({ collection, id: document.id, document, position: 1 })),
  )
  await models.apply(changes, 1)
  return unbound(models)
}

describe('mentions whose mail was withheld', () => {
  const settled = (...reasons: readonly (string | null)[]) => {
    const outcomes = reasons.map((reason, n) => ({
      delivery_id: n + 1,
      ...(reason === null ? { outcome: 'sent' as const } : { outcome: 'withheld' as const, reason }),
    }))
    const happened = mailing.event.DeliveriesSettled({ outcomes })
    return { ...happened, stream: `emails/mailing-${MAILING}`, metadata: { at: AT } } as unknown as RecordedEvent
  }
  const sent = (kind: string): Rows => ({
    'emails/mailing': [{ id: MAILING, kind, values: { community_id: 3, post_id: POST } }],
    'emails/delivery': [BOB, CY, DI].map((contact_id, n) => ({ id: n + 1, mailing_id: MAILING, contact_id })),
  })

  it('are noted, and who wants none', async () => {
    const event = settled('no_access', null, 'muted')
    expect(withheldNoticesAreNoted.when?.(event)).to.equal(true)
    const [asked, ...others] = await withheldNoticesAreNoted.react(
      event,
      await documents(sent('community_mention')),
      () => 0,
    )
    expect(others).to.deep.equal([])
    expect(asked).to.deep.include({ id: 1 })
    expect(asked).to.have.nested.property('command.type', 'withhold')
    expect(asked).to.have.deep.nested.property('command.wanted', { contact_ids: [BOB, DI], muted_ids: [DI] })
  })

  it('are noted of what announces a text only where its member did not see it', async () => {
    for (const reason of [null, 'nothing_new'])
      for (const kind of ['community_mention', 'community_reply'])
        expect(await withheldNoticesAreNoted.react(settled(reason), await documents(sent(kind)), () => 0)).to.eql([])
    const read = await documents(sent('community_reply'))
    const [asked] = await withheldNoticesAreNoted.react(settled('no_access', 'muted', null), read, () => 0)
    expect(asked).to.have.nested.property('command.type', 'withholdAnnouncement')
    expect(asked).to.have.deep.nested.property('command.wanted', { contact_ids: [BOB] })
    const other = await documents(sent('order_confirmation'))
    expect(await withheldNoticesAreNoted.react(settled('no_access'), other, () => 0)).to.deep.equal([])
  })

  const noted = {
    ...notice.event.MentionsWithheld({ contact_ids: [BOB, CY, DI], muted_ids: [CY] }),
    ...{ stream: 'communities/notice-1', metadata: { at: AT, workspace_id: 2 } },
  } as unknown as RecordedEvent
  const toldIn = async (rows?: Rows) =>
    (await missedAreToldAgain.react(noted, await documents(rows), () => 0)).map((one) =>
      'command' in one ? (one.command.wanted.told as { mentioned: unknown }).mentioned : one,
    )

  it('are told at once to those who see it by now, as far as it mentions them still and they want it', async () => {
    expect(await toldIn()).to.deep.equal([[BOB]])
  })

  it('wait while it is not shown, and while their members do not see it', async () => {
    const declined = { id: POST, community_id: 3, space_id: 11, contact_id: 5, body: text(BOB), approved_at: null }
    expect(await toldIn({ 'communities/spaces/post': [{ ...declined, declined_at: AT }] })).to.deep.equal([])
    expect(await toldIn({ 'communities/membership': [member(DI)] })).to.deep.equal([])
    expect(await toldIn({ 'communities/spaces/post': [] })).to.deep.equal([])
  })
})
