import { Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { nullable, nullableDateTime, nullableInteger, nullableString } from '../../resources/schemas.ts'
import { embedded, personalShape, type Shape, type ViewParts } from '../../resources/view.ts'
import type { Loader } from '../../resources/view-types.ts'
import { contactVisits } from '../../visits/public.ts'
import { contact, isActive } from './model.ts'

type Contact = RecordOf<typeof contact>

const tagSchema = Type.Object({
  id: Type.Integer(),
  public_id: Type.String(),
  name: Type.String(),
  color: Type.String(),
  applied_at: nullableString,
})

const engagementSchema = Type.Object({
  last_email_sent_at: nullableDateTime,
  last_email_opened_at: nullableDateTime,
  last_email_clicked_at: nullableDateTime,
})

/** Collection of the mails to contacts. */
const MAILS = 'emails/delivery'

/** Returns the latest time of a kind, among those that mails have. */
const latest = (times: readonly (Json | undefined)[]): string | null =>
  times.reduce<string | null>((last, at) => (typeof at === 'string' && at > (last ?? '') ? at : last), null)

/** Returns when a contact last got a mail, opened one, and clicked in one. */
const engagementOf = async ({ id }: Contact, load: Loader): Promise<JsonObject> => {
  const mails = await load.where(MAILS, 'contact_id', id)
  const sent = mails.filter(({ status }) => status === 'sent' || status === 'kept')
  return {
    last_email_sent_at: latest(sent.map(({ settled_at }) => settled_at)),
    last_email_opened_at: latest(mails.map(({ last_opened_at }) => last_opened_at)),
    last_email_clicked_at: latest(mails.map(({ last_clicked_at }) => last_clicked_at)),
  }
}

/** Returns a contact as it is shown. Once the person has been erased, substitutes stand for the address and the name. */
export const shownOf = (record: Contact): Contact =>
  record.redacted_email === null
    ? record
    : { ...record, email_address: record.redacted_email, first_name: 'REDACTED', last_name: 'REDACTED' }

const substituted = (name: 'email_address' | 'first_name' | 'last_name') => ({
  schema: nullableString,
  of: (record: Contact) => shownOf(record)[name],
})

const tagsOf = async ({ applied_tags: all }: Contact, load: Loader): Promise<Json[]> => {
  const applied = embedded('tags', all, load)
  const tags = await Promise.all(applied.map(({ tag_id }) => load.one('contacts/tag', tag_id)))
  return tags.flatMap((tag, index) =>
    tag
      ? [
          {
            id: tag.id,
            public_id: tag.public_id,
            name: tag.name,
            color: tag.color,
            applied_at: applied[index]?.applied_at ?? null,
          },
        ]
      : [],
  )
}

/** Fields that a contact shows besides its attributes (contract: ContactAttributes). */
export const contactParts: ViewParts<typeof contact> = {
  anonymous: { schema: nullableInteger, of: ({ identified }) => (identified ? 0 : 1) },
  email_address: substituted('email_address'),
  first_name: substituted('first_name'),
  last_name: substituted('last_name'),
  is_active: { schema: Type.Boolean(), of: isActive },
  tags: {
    schema: nullable(Type.Array(tagSchema)),
    of: (record, load) => (record.applied_tags.length === 0 ? [] : tagsOf(record, load)),
  },
  visits: { schema: contactVisits.schema, of: (record, load) => contactVisits.of(record, load) },
  email_engagement: { schema: engagementSchema, expand: true, of: engagementOf },
}

const open = recordOf(contact)

/** Shape of a contact in short form, for other records (contract: ContactShortAttributes). */
export const contactShort: Shape = personalShape({
  schema: Type.Object({
    id: Type.Integer(),
    public_id: Type.String(),
    email_address: nullableString,
    first_name: nullableString,
    last_name: nullableString,
    phone_number: nullableString,
  }),
  of(document) {
    const { id, public_id, email_address, first_name, last_name, phone_number } = shownOf(open(document))
    return { id, public_id, email_address, first_name, last_name, phone_number }
  },
})
