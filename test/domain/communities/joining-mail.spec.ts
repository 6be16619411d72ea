import { expect } from 'chai'
import { tellJoining } from '../../../domain/communities/mails/joining.ts'
import type { TellingDeps } from '../../../domain/emails/public.ts'
import { readerOver } from '../../../domain/kernel/decide/rules.ts'
import { MemoryReadModels } from '../../support/memory/read-models.ts'
import { unbound } from '../../support/unbound.ts'

const AT = '2026-05-02T06:00:00.000Z'
const MEMBER = 7

/** Returns what a new member of a community of a status is told. */
const toldIn = async (status: string) => {
  const models = new MemoryReadModels()
  const documents = {
    community: { id: 3, name: 'Potters', status, send_membership_email: true },
    'communities/membership': { id: 1, community_id: 3, contact_id: MEMBER, moderator: true, space_ids: [] },
  }
  const changes = Object.entries(documents).map(([collection, document]) => ({
    ...{ collection, id: document.id, document, position: 1 },
  }))
  await models.apply(changes, 1)
  const recipients = [{ id: MEMBER }] as unknown as Parameters<typeof tellJoining>[1]
  const deps: TellingDeps = {
    ...{ read: readerOver(unbound(models)), at: AT, day: '2026-05-02', locale: 'en', business: 'Clay' },
    contacts: async () => new Map(),
    linkTo: () => null,
  }
  const notice = { id: 1, kind: 'community_joined', values: { community_id: 3 }, created_at: AT }
  return (await tellJoining(notice, recipients, deps)).get(MEMBER)
}

describe('the welcome of a community', () => {
  it('goes to nobody while the community is a draft', async () => {
    expect(await toldIn('draft')).to.deep.equal({ withheld: 'no_access' })
    expect(await toldIn('live')).to.deep.equal({ values: { community: { name: 'Potters' }, url: null } })
  })
})
