import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { testService } from '../../support/service.ts'

/** Longer than any record that a client writes by hand, and as long as one may be. */
const CONTENT = 'x'.repeat(65_535)

describe('a record that is full', () => {
  it('takes nothing more, says how much it may have, and can be changed, emptied and removed', async () => {
    const tenant = await (await testService()).tenant()
    const { api, workspaceId } = tenant
    const pipeline = ok(
      await api.post(`/workspaces/${workspaceId}/sales/pipelines`, {
        sales_pipeline: { name: 'P', stages_attributes: [{ name: 'S', close_probability: 50 }] },
      }),
    )
    const contact = { email_address: 'full@example.com' }
    const person = ok(await api.post(`/workspaces/${workspaceId}/contacts`, { contact }))
    const opportunity = ok(
      await api.post(`/workspaces/${workspaceId}/sales/opportunities`, {
        sales_opportunity: {
          name: 'O',
          pipelines_stage_id: pipeline.stages[0].id,
          primary_contact_id: person.id,
        },
      }),
    )
    const notes = `/sales/opportunities/${opportunity.id}/notes`
    const write = () => api.post(notes, { sales_opportunities_note: { content: CONTENT } })
    let refused = await write()
    for (let number = 1; number < 200 && refused.status === 201; number++) refused = await write()
    expect(refused.status).to.equal(422)
    const message = 'This opportunity is full: together with everything in it, it can have at most 16777216 bytes'
    expect(refused.body.error).to.equal(`Request unprocessable: ${message}`)
    expect(refused.body.details).to.deep.equal([{ field: 'base', code: 'too_large', message }])
    const path = `/sales/opportunities/${opportunity.id}`
    expect((await api.put(path, { sales_opportunity: { name: 'Full' } })).body.name).to.equal('Full')
    const [first] = ok(await api.get(notes))
    expect((await api.delete(`/sales/opportunities/notes/${first.id}`)).status).to.equal(204)
    expect((await write()).status).to.equal(201)
    expect((await api.delete(path)).status).to.equal(204)
  })
})
