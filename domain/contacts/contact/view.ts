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

const NO_ENGAGEMENT: JsonObject = { last_email_sent_at: null, last_email_opened_at: null, last_email_clicked_at: null }

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
  visits: { schema: contactVisits.schema, of: ({ id }, load) => contactVisits.of(id, load) },
  email_engagement: { schema: engagementSchema, expand: true, of: () => NO_ENGAGEMENT },
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
