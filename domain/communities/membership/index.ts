import { Type } from 'typebox'
import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import { list as listOf, reference } from '../../kernel/model/fields.ts'
import type { FoldedEvent, Json } from '../../kernel/values/event.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import { list, show } from '../../resources/operations.ts'
import type { Resource } from '../../resources/resource.ts'
import { serve } from '../../resources/serve.ts'
import { changes, creates, removes } from '../../resources/writes.ts'
import { underCommunity } from '../community/index.ts'
import { contactShown } from '../member.ts'
import { ban, membership, participation } from './model.ts'
import { participations } from './rules.ts'

type Occurred = Pick<FoldedEvent, 'stream'> & { readonly data: { readonly [name: string]: Json | undefined } }

/** Names the contact, and the records that conditions of workflow triggers compare. */
const ofContact =
  (also: (data: Occurred['data']) => Record<string, readonly number[]> = () => ({})) =>
  async ({ stream, data }: Occurred, documents: FactReader) => {
    const found = await readerOver(documents).one(participation, parseStream(stream).id)
    const community_id = found?.community_id ?? null
    return { contact_id: found?.contact_id ?? null, conditions: { community_id, ...also(data) } }
  }

const ids = (value: Json | undefined): readonly number[] => (Array.isArray(value) ? value.map(Number) : [])

/** Options of the creation of a record in the stream that a contact and a community have in common. */
const ofBoth = { into: participation, except: ['notifications', 'send_digest_email'] }
const contactSent = reference('contact', { required: true })

/** Communities::Membership. */
export const membershipResource: Resource = serve(membership, participations, {
  title: 'Communities::Membership',
  root: 'communities_membership',
  category: 'community',
  under: underCommunity,
  person: 'contact_id',
  indexes: [{ fields: ['contact_id'] }, { fields: ['space_ids'] }],
  view: { contact: contactShown },
  operations: {
    listCommunitiesMemberships: list('/communities/{community_id}/memberships'),
    createCommunitiesMemberships: creates('/communities/{community_id}/memberships', {
      ...ofBoth,
      summary: 'Makes a contact a member of a community',
      input: {
        contact_id: contactSent,
        space_ids: listOf(reference('communities/space'), { nullable: true, about: 'The spaces that it is in' }),
      },
    }),
    getCommunitiesMemberships: show('/communities/memberships/{id}'),
    updateCommunitiesMemberships: changes('/communities/memberships/{id}'),
    removeCommunitiesMemberships: removes('/communities/memberships/{id}'),
  },
  publishes: {
    '$community.join': { on: ['MemberJoined'], about: 'A contact joined a community.', concerns: ofContact() },
    '$community.topic_join': {
      on: ['SpacesEntered'],
      about: 'A member got into a space of a community.',
      concerns: ofContact((data) => ({ communities_space_id: ids(data.entered_space_ids) })),
    },
    '$community.group_join': {
      on: ['SpacesEntered'],
      when: ({ data }) => ids(data.entered_group_ids).length > 0,
      about: 'A member got into the first space of a group of a community.',
      concerns: ofContact((data) => ({ communities_space_group_id: ids(data.entered_group_ids) })),
    },
  },
})

/** Communities::Ban. */
export const banResource: Resource = serve(ban, participations, {
  title: 'Communities::Ban',
  root: 'communities_ban',
  category: 'community',
  under: underCommunity,
  person: 'contact_id',
  indexes: [{ fields: ['contact_id', 'community_id'] }],
  view: {
    bannable_type: { schema: Type.String(), of: () => 'Community' },
    bannable_id: { schema: Type.Integer(), of: ({ community_id }) => community_id },
    contact: contactShown,
  },
  operations: {
    listCommunitiesBans: list('/communities/{community_id}/bans'),
    createCommunitiesBans: creates('/communities/{community_id}/bans', {
      consequence: 'bans a member',
      ...ofBoth,
      summary: 'Bans a contact from a community, whether it is a member or not',
      input: { contact_id: contactSent },
    }),
    getCommunitiesBans: show('/communities/bans/{id}'),
    removeCommunitiesBans: removes('/communities/bans/{id}'),
  },
  publishes: {
    '$community.ban': { on: ['ContactBanned'], about: 'A contact was banned.', concerns: ofContact() },
    '$community.unban': { on: ['ContactUnbanned'], about: 'The ban of a contact ended.', concerns: ofContact() },
  },
})

/** What a contact and a community have to do with each other. It is shown as its membership or its ban. */
export const participationResource = serve(participation, participations, {
  title: 'Communities::Participation',
  root: 'communities_participation',
  category: 'community',
  under: underCommunity,
  indexes: [{ fields: ['contact_id', 'community_id'] }, { fields: ['contact_id'] }],
  reads: ['contact', 'communities/space'],
  operations: {},
})
