import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, testService } from '../../support/service.ts'

describe('forms over REST', () => {
  let tenant: Tenant
  before(async () => {
    tenant = await (await testService()).tenant()
  })

  const setWith = async (...keys: readonly string[]) => {
    const set = await recordMakers['forms/field_set']!.make(tenant)
    const path = `/forms/field_sets/${set}/fields`
    const ids: number[] = []
    for (const key of keys) ids.push((await tenant.api.post(path, { forms_field: { label: key, key } })).body.id)
    return { set, path, ids }
  }

  /** Waits until a record is gone that goes with another. */
  const gone = async (path: string) => {
    for (let tries = 0; (await tenant.api.get(path)).status !== 404; tries++) {
      if (tries === 500) throw new Error(`${path} is still there`)
      await wait(10)
    }
  }

  it('show fields in the order of a reorder, by ids or public ids', async () => {
    const { path, ids } = await setWith('a', 'b', 'c')
    const [a, b, c] = ids
    const { body: last } = await tenant.api.get(`/forms/fields/${c}`)
    const answer = await tenant.api.post(`${path}/reorder`, { ids_in_order: [last.public_id, a, String(b)] })
    expect(answer).to.deep.include({ status: 200, body: { ordered_field_ids: [c, a, b] } })
    const listed = async (query: string) =>
      (await tenant.api.get(`${path}?${query}`)).body.map(({ id }: { id: number }) => id)
    expect(await listed('sort_property=sort_order')).to.deep.equal([c, a, b])
    expect(await listed('sort_property=sort_order&sort_order=desc')).to.deep.equal([b, a, c])
    expect(await listed('')).to.deep.equal([a, b, c])
  })

  it('13a 32: are in one of two orders that come at once, whole, and a rename meets the field that it names', async () => {
    const { path, ids } = await setWith('a', 'b', 'c', 'd')
    const [a, b, c, d] = ids
    const orders = [
      [d, c, b, a],
      [b, a, d, c],
    ]
    for (let turn = 0; turn < 5; turn++) {
      const label = `Renamed ${turn}`
      const [first, second, renamed] = await Promise.all([
        ...orders.map((ids_in_order) => tenant.api.post(`${path}/reorder`, { ids_in_order })),
        tenant.api.put(`/forms/fields/${b}`, { forms_field: { label } }),
      ])
      expect(renamed?.status).to.equal(200)
      const taken = orders.filter((_, index) => [first, second][index]?.status === 200)
      expect(taken).to.have.length.greaterThan(0)
      const listed = (await tenant.api.get(`${path}?sort_property=sort_order`)).body
      const order = listed.map(({ id }: { id: number }) => id)
      expect(taken.map((one) => one.join())).to.include(order.join())
      const labels = Object.fromEntries(listed.map((one: { id: number; label: string }) => [one.id, one.label]))
      expect(labels).to.deep.equal({ [a!]: 'a', [b!]: label, [c!]: 'c', [d!]: 'd' })
    }
  })

  it('refuse an order that is not exactly the set, and change nothing', async () => {
    const { path, ids } = await setWith('a', 'b')
    const other = await setWith('c')
    for (const wrong of [[], [ids[0]], [...ids, ids[0]], [ids[0], other.ids[0]], [...ids, ...other.ids]]) {
      const { status, body } = await tenant.api.post(`${path}/reorder`, { ids_in_order: wrong })
      expect(status, JSON.stringify(wrong)).to.equal(422)
      expect(body.details[0].field).to.equal('ids_in_order')
    }
    expect((await tenant.api.get(`/forms/fields/${ids[1]}`)).body.sort_order).to.equal(1)
  })

  it('go with everything in them', async () => {
    const { set, ids } = await setWith('a')
    const option = (
      await tenant.api.post(`/forms/fields/${ids[0]}/options`, { forms_fields_option: { label: 'Large' } })
    ).body
    expect(option).to.deep.include({ field_id: ids[0], label: 'Large', sort_order: 0 })
    const { form_id } = (await tenant.api.get(`/forms/field_sets/${set}`)).body
    expect((await tenant.api.delete(`/forms/${form_id}`)).status).to.equal(204)
    for (const path of [`field_sets/${set}`, `fields/${ids[0]}`, `fields/options/${option.id}`])
      expect((await tenant.api.get(`/forms/${path}`)).status, path).to.equal(404)
  })

  describe('submissions', () => {
    const begin = async () => {
      const { set, ids } = await setWith('size', 'colour')
      const { form_id } = (await tenant.api.get(`/forms/field_sets/${set}`)).body
      const { body } = await tenant.api.post(`/forms/${form_id}/submissions`, {
        forms_submission: { contact_id: null },
      })
      return { formId: form_id, id: body.id, ids, answers: `/forms/submissions/${body.id}/answers` }
    }
    const give = (path: string, fields: object) => tenant.api.post(path, { forms_submissions_answer: fields })
    const optionOf = async (field: number) =>
      (await tenant.api.post(`/forms/fields/${field}/options`, { forms_fields_option: { label: 'Large' } })).body.id

    it('take answers to fields of their form, with options of the field', async () => {
      const { ids, answers } = await begin()
      const other = await begin()
      const [own, foreign] = [await optionOf(ids[0]!), await optionOf(ids[1]!)]
      const given = await give(answers, { field_id: ids[0], fields_option_id: own })
      expect(given.status).to.equal(201)
      expect(given.body).to.deep.include({
        field_id: ids[0],
        fields_option_id: own,
        entry: null,
        fields_option_ids: [],
      })
      const wrong: [object, string][] = [
        [{ field_id: other.ids[0] }, 'field_id'],
        [{ field_id: ids[0], fields_option_id: foreign }, 'fields_option_ids'],
        [{ field_id: ids[0], fields_option_ids: [own, foreign] }, 'fields_option_ids'],
      ]
      for (const [fields, name] of wrong) {
        const { status, body } = await give(answers, fields)
        expect(status, name).to.equal(422)
        expect(body.details[0].field).to.equal(`forms_submissions_answer.${name}`)
      }
    })

    it('take several options only where the field allows them', async () => {
      const { ids, answers } = await begin()
      const options = [await optionOf(ids[0]!), await optionOf(ids[0]!)]
      expect((await give(answers, { field_id: ids[0], fields_option_ids: options })).status).to.equal(422)
      await tenant.api.put(`/forms/fields/${ids[0]}`, { forms_field: { allow_multiple: true } })
      const { status, body } = await give(answers, { field_id: ids[0], fields_option_ids: options })
      expect([status, body.fields_option_ids]).to.deep.equal([201, options])
    })

    it('change an answer by a field id as text, as the contract has it', async () => {
      const { ids, answers } = await begin()
      const { body } = await give(answers, { field_id: ids[0], entry: 'Blue' })
      const path = `/forms/submissions/answers/${body.id}`
      const changed = await tenant.api.put(path, { forms_submissions_answer: { field_id: String(ids[1]) } })
      expect(changed.body).to.deep.include({ field_id: ids[1], entry: 'Blue' })
    })

    it('lose the text of answers with their contact, also when that was named afterwards', async () => {
      const { id, ids, answers } = await begin()
      const { body } = await give(answers, { field_id: ids[0], entry: 'My secret' })
      const contactId = await recordMakers.contact!.make(tenant)
      await tenant.api.put(`/forms/submissions/${id}`, { forms_submission: { contact_id: contactId } })
      const path = `/forms/submissions/answers/${body.id}`
      expect((await tenant.api.get(path)).body.entry).to.equal('My secret')
      await tenant.api.delete(`/contacts/${contactId}/gdpr_destroy`)
      expect((await tenant.api.get(path)).body.entry).to.equal(null)
      const again = await tenant.api.put(path, { forms_submissions_answer: { entry: 'Once more' } })
      expect(again.status).to.equal(409)
    })

    it('go with their form', async () => {
      const { formId, id, ids, answers } = await begin()
      const { body } = await give(answers, { field_id: ids[0], entry: 'Blue' })
      await tenant.api.delete(`/forms/${formId}`)
      await gone(`/forms/submissions/${id}`)
      await gone(`/forms/submissions/answers/${body.id}`)
    })

    describe('case 31: what people said stays', () => {
      const answered = async () => {
        const begun = await begin()
        const [field] = begun.ids
        const option = await optionOf(field!)
        const { body } = await give(begun.answers, { field_id: field, fields_option_id: option, entry: 'So big' })
        return { ...begun, field, option, path: `/forms/submissions/answers/${body.id}`, given: body }
      }
      const said = { field_label: 'size', option_labels: ['Large'], entry: 'So big' }

      it('under the labels of that time, when field and option are renamed', async () => {
        const { field, option, path, answers, given } = await answered()
        expect(given).to.deep.include(said)
        await tenant.api.put(`/forms/fields/${field}`, { forms_field: { label: 'Width', key: 'width' } })
        await tenant.api.put(`/forms/fields/options/${option}`, { forms_fields_option: { label: 'Wide' } })
        expect((await tenant.api.get(path)).body).to.deep.include(said)
        const later = await give(answers, { field_id: field, fields_option_ids: [option] })
        expect(later.body).to.deep.include({ field_label: 'Width', option_labels: ['Wide'] })
      })

      it('when option, field and set of fields are deleted, and can still be corrected', async () => {
        const { field, option, path, given } = await answered()
        const { field_set_id } = (await tenant.api.get(`/forms/fields/${field}`)).body
        await tenant.api.delete(`/forms/fields/options/${option}`)
        await tenant.api.delete(`/forms/fields/${field}`)
        await tenant.api.delete(`/forms/field_sets/${field_set_id}`)
        const kept = { ...said, field_id: field, fields_option_id: option }
        expect((await tenant.api.get(path)).body).to.deep.include(kept)
        const { status, body } = await tenant.api.put(path, { forms_submissions_answer: { entry: 'Bigger' } })
        expect(status).to.equal(200)
        expect(body).to.deep.include({ ...kept, entry: 'Bigger', id: given.id })
        const gone = await tenant.api.put(path, { forms_submissions_answer: { field_id: field } })
        expect(gone.status).to.equal(422)
      })
    })
  })
})
