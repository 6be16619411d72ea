import { expect } from 'chai'
import { appliedTagResource as appliedTag, contactResource as contact } from '../../domain/contacts/contact/index.ts'
import { contact as model } from '../../domain/contacts/contact/model.ts'
import { contactTag } from '../../domain/contacts/tag.ts'
import { emptyPersonalOf } from '../../domain/kernel/model/fold.ts'
import { at, given, ids } from '../support/projection.ts'

const ID = 100
const NOBODY = emptyPersonalOf(model)

describe('documents of a plain record', () => {
  const created = { type: 'ContactsTagCreated', data: { name: 'VIP', color: '#111111' } }
  const renamed = { type: 'ContactsTagChanged', data: { name: 'Very' } }
  const recoloured = { type: 'ContactsTagChanged', data: { color: '#222222' } }
  const removed = { type: 'ContactsTagRemoved', data: {} }
  const project = (...events: readonly (typeof created | typeof renamed | typeof recoloured | typeof removed)[]) =>
    given([contactTag], `contacts/tag-${ID}`, ...events)

  it('contain the created fields, their place, and the time', async () => {
    const done = await (await project(created)).inBatchesOf(1)
    expect(done.documents(contactTag)).to.deep.equal([
      {
        id: ID,
        public_id: ids.of('contacts/tag').encode(ID),
        team_id: 3,
        workspace_id: 7,
        name: 'VIP',
        name_key: 'vip',
        color: '#111111',
        created_at: at(0),
        updated_at: at(0),
        rev: 0,
      },
    ])
    expect(done.writes).to.equal(1)
  })

  it('follow changes, with the revision and the time of the newest one', async () => {
    const [document] = (await (await project(created, renamed, recoloured)).inBatchesOf(1)).documents(contactTag)
    expect(document).to.include({ name: 'Very', color: '#222222', created_at: at(0), updated_at: at(2), rev: 2 })
  })

  it('are written once a batch, for any number of events in it', async () => {
    const all = [created, renamed, recoloured] as const
    for (const [size, writes] of [
      [1, 3],
      [2, 2],
      [3, 1],
    ] as const) {
      const done = await (await project(...all)).inBatchesOf(size)
      expect(done.writes, `in batches of ${size}`).to.equal(writes)
    }
  })

  it('do not change when a batch is repeated', async () => {
    const all = [created, renamed, recoloured] as const
    const once = await (await project(...all)).inBatchesOf(1)
    const twice = await (await project(...all)).inBatchesOf(1, { twice: true })
    expect(twice.documents(contactTag)).to.deep.equal(once.documents(contactTag))
    expect(twice.writes).to.equal(once.writes)
  })

  it('are removed with their record', async () => {
    const done = await (await project(created, removed)).inBatchesOf(1)
    expect(done.documents(contactTag)).to.deep.equal([])
    expect(done.writes).to.equal(2)
    expect(
      (await (await project(created, removed)).inBatchesOf(2)).writes,
      'created and removed in one batch',
    ).to.be.at.most(1)
  })
})

describe('documents of a contact', () => {
  const personal = { ...NOBODY, email_address: 'Ada@Example.com', first_name: 'Ada' }
  const created = { type: 'ContactCreated', data: { uuid: 'u', time_zone: null, personal } }
  const identified = { type: 'ContactIdentified', data: {} }
  const tagged = (tag_id: number) => ({ type: 'ContactTagApplied', data: { applied_tag_id: tag_id + 1000, tag_id } })
  const untagged = (tag_id: number) => ({ type: 'ContactTagRemoved', data: { applied_tag_id: tag_id + 1000, tag_id } })
  const redacted = { type: 'ContactRedacted', data: { email_address: 'redacted-1@example.com' } }
  type Event = Parameters<typeof given>[2]
  const project = async (size: number, ...events: readonly Event[]) =>
    (await given([contact, appliedTag], `contact-${ID}`, ...events)).inBatchesOf(size)

  it('seal personal data, and are found by its blind index', async () => {
    const [document] = (await project(2, created, identified)).documents(contact)
    expect(document!.personal).to.equal(`sealed for ${ID}: ${JSON.stringify(personal)}`)
    expect(document).to.include({
      email_digest: 'contact.email|ada@example.com',
      email_beginning: 'contact.email.beginning|ad',
      identified: true,
      listed: true,
      is_active: true,
      rev: 1,
    })
    const { personal: _, ...rest } = document!
    const clear = Object.entries(rest).filter(([name]) => !/_(digest|beginning)$/.test(name))
    expect(JSON.stringify(clear)).not.to.match(/example.com|"ad/i)
  })

  it('are not listed while the contact is anonymous', async () => {
    const [document] = (await project(1, created)).documents(contact)
    expect(document).to.include({ identified: false, listed: false })
  })

  it('have the tags, each with a document of its own and the time at which it was applied', async () => {
    const done = await project(1, created, tagged(5), tagged(6), untagged(5))
    const [document] = done.documents(contact)
    expect(document!.tag_ids).to.deep.equal([6])
    expect(document!.applied_tags).to.deep.equal([{ applied_tag_id: 1006, tag_id: 6, applied_at: at(2) }])
    expect(done.documents(appliedTag)).to.deep.equal([
      {
        id: 1006,
        public_id: ids.of('contacts/applied_tag').encode(1006),
        team_id: 3,
        workspace_id: 7,
        contact_id: ID,
        tag_id: 6,
        created_at: at(2),
        updated_at: at(2),
        rev: 2,
      },
    ])
  })

  it('touch only the document that an event is about', async () => {
    const before = await project(4, created, identified, tagged(5), tagged(6))
    const after = await project(4, created, identified, tagged(5), tagged(6), identified)
    expect(after.documents(appliedTag)).to.deep.equal(before.documents(appliedTag))
    expect(after.writes - before.writes).to.equal(1)
  })

  it('contain no personal data after redaction, and are no longer found', async () => {
    const [document] = (await project(1, created, identified, tagged(5), redacted)).documents(contact)
    expect(document).to.include({
      personal: null,
      email_digest: null,
      listed: false,
      is_active: false,
      redacted_email: 'redacted-1@example.com',
    })
    expect(JSON.stringify(document)).not.to.match(/ada@/i)
  })

  it('do not get a tag twice from a repeated batch', async () => {
    const events = [created, tagged(5), identified, tagged(6)] as const
    const once = await project(1, ...events)
    const twice = await (await given([contact, appliedTag], `contact-${ID}`, ...events)).inBatchesOf(3, { twice: true })
    expect(twice.documents(contact)).to.deep.equal(once.documents(contact))
  })
})
