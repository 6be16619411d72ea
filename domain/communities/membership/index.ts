import { Type } from 'typebox'
import { ask, within } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import { flag, list as listOf, reference, text } from '../../kernel/model/fields.ts'
import type { FoldedEvent, Json } from '../../kernel/values/event.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import type { ActionInput, ActionOperation } from '../../resources/operation.ts'
import { list, show } from '../../resources/operations.ts'
import type { Resource } from '../../resources/resource.ts'
import { serve } from '../../resources/serve.ts'
import { changes, removes } from '../../resources/writes.ts'
import { underCommunity } from '../community/index.ts'
import { contactShown } from '../member.ts'
import { ban, MOST_OF_REASON, membership, participation } from './model.ts'
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

/** Declares the creation of a record in the stream that a contact and a community have in common. */
const creation = (
  path: string,
  { root, view }: Resource,
  options: Pick<ActionOperation, 'summary' | 'call'> & {
    readonly fields: NonNullable<ActionOperation['body']>['fields']
  },
): ActionOperation => ({
  kind: 'call',
  method: 'POST',
  path,
  summary: options.summary ?? '',
  body: { root, fields: { contact_id: reference('contact', { required: true }), ...options.fields }, mode: 'create' },
  schema: view.schema,
  answers: 201,
  call: options.call,
})

const endsOf = ({ owner, fields }: ActionInput) => ({
  contact_id: Number(fields.contact_id),
  community_id: Number(owner?.id),
})

/** Shows the record of a kind that a contact has in a community. */
const shown = async ({ name }: { readonly name: string }, input: ActionInput) => {
  const { read, load } = input
  const [own] = await read.find(name, { where: endsOf(input), limit: 1 })
  const found = await load.one(name, own && Number(own.id))
  return found ? load.present(name, found) : refuse.conflict('It was ended again meanwhile')
}

const join = async (input: ActionInput) => {
  const { fields, mint, transact } = input
  const { moderator = null, space_ids = null } = fields
  const wanted = { ...endsOf(input), join: { moderator: moderator === true, space_ids: ids(space_ids), onlyNew: true } }
  const options = { isNew: true, ids: [mint(membership)], ifTaken: 'join' } as const
  const refused = await transact(ask(participations, mint(participation), 'create', wanted, options))
  return refused instanceof Refusal ? refused : shown(membership, input)
}

/** Communities::Membership. */
const served = serve(membership, participations, {
  title: 'Communities::Membership',
  root: 'communities_membership',
  category: 'community',
  under: underCommunity,
  person: 'contact_id',
  indexes: [{ fields: ['contact_id'] }, { fields: ['space_ids'] }],
  view: { contact: contactShown },
  operations: {
    listCommunitiesMemberships: list('/communities/{community_id}/memberships'),
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

export const membershipResource: Resource = {
  ...served,
  operations: {
    ...served.operations,
    createCommunitiesMemberships: creation('/communities/{community_id}/memberships', served, {
      summary: 'Makes a contact a member of a community',
      fields: {
        moderator: flag({ nullable: true }),
        space_ids: listOf(reference('communities/space'), { nullable: true, about: 'The spaces that it is in' }),
      },
      call: join,
    }),
  },
}

const issue = async (input: ActionInput) => {
  const { fields, mint, transact, read } = input
  const where = endsOf(input)
  const options = { isNew: true, ifTaken: 'begun' } as const
  const begun = await transact(ask(participations, mint(participation), 'create', where, options))
  if (begun instanceof Refusal) return begun
  const [own] = await read.find(participation.name, { where, limit: 1 })
  if (!own) return refuse.unavailable('The contact is just being read; try again')
  const reason = typeof fields.reason === 'string' ? fields.reason : null
  const refused = await transact(ask(within(participations, Number(own.id), ban), mint(ban), 'create', { reason }))
  return refused instanceof Refusal ? refused : shown(ban, input)
}

const servedBan = serve(ban, participations, {
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
    getCommunitiesBans: show('/communities/bans/{id}'),
    removeCommunitiesBans: removes('/communities/bans/{id}'),
  },
  publishes: {
    '$community.ban': { on: ['ContactBanned'], about: 'A contact was banned.', concerns: ofContact() },
    '$community.unban': { on: ['ContactUnbanned'], about: 'The ban of a contact ended.', concerns: ofContact() },
  },
})

/** Communities::Ban. */
export const banResource: Resource = {
  ...servedBan,
  operations: {
    ...servedBan.operations,
    createCommunitiesBans: creation('/communities/{community_id}/bans', servedBan, {
      summary: 'Bans a contact from a community, whether it is a member or not',
      fields: { reason: text({ nullable: true, max: MOST_OF_REASON }) },
      call: issue,
    }),
  },
}

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
