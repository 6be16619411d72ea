import { expect } from 'chai'
import { type Tenant, testService } from '../../support/service.ts'
import { shortly } from '../../support/shortly.ts'
import { createdBody } from '../../support/traffic/funnels.ts'

const HEADER = 'Id,Email address,First name,Favourite Colour'

describe('exports of contacts', () => {
  let tenant: Tenant
  let workspace: string
  const people: Record<string, { id: number; public_id: string }> = {}
  const fields = ['id', 'email_address', 'first_name', 'favourite_colour']
  before(async () => {
    tenant = await (await testService()).tenant()
    workspace = `/workspaces/${tenant.workspaceId}`
    for (const name of ['Ada', 'Bob', 'Cleo', 'Dan']) people[name] = await contact(name)
  })

  const contact = async (first_name: string, more: object = {}) =>
    createdBody(
      await tenant.api.post(`${workspace}/contacts`, {
        contact: {
          first_name,
          email_address: `${first_name.toLowerCase()}@export.example`,
          custom_attributes: { 'Favourite colour': 'red' },
          ...more,
        },
      }),
    )
  const ask = (sent: object) =>
    tenant.api.post(`${workspace}/contacts/export_actions`, { contacts_export_action: { fields, ...sent } })
  const show = async (id: number) => createdBody(await tenant.api.get(`/contacts/export_actions/${id}`))
  const done = async (sent: object) => ended(await ask(sent))
  const ended = async (asked: Awaited<ReturnType<typeof ask>>) => {
    const { id } = createdBody(asked)
    for (let tries = 0; tries < 3000; tries++) {
      const action = await show(id)
      if (action.completed_at) return action
      await new Promise((go) => setTimeout(go, 10))
    }
    throw new Error('the export did not complete')
  }
  const line = (name: string) => `${people[name]!.id},${name.toLowerCase()}@export.example,${name},red`
  const csv = (...lines: readonly string[]) => [HEADER, ...lines, ''].join('\r\n')
  const textAt = async (url: string) => {
    const response = await fetch(url)
    expect(response.status).to.equal(200)
    return response.text()
  }
  const refusal = async (url: string | URL, method = 'GET') => {
    const response = await fetch(url, { method })
    const { error, details, request_id } = (await response.json()) as Record<string, unknown>
    expect(request_id).to.equal(response.headers.get('x-request-id'))
    expect(details).to.be.an('array')
    return [response.status, error]
  }

  it('have a row for each contact, in the order of their ids, as soon as they are complete', async () => {
    const asked = await ask({ target_all: true, scheduled_for: shortly() })
    expect(asked.status).to.equal(201)
    expect(asked.body).to.include({ file_url: null, target_count: null, performed_count: 0, completed_at: null })
    expect(asked.body.fields).to.deep.equal(fields)
    expect((await show(asked.body.id)).file_url).to.equal(null)
    const { target_count, performed_count, failed_count, file_url } = await ended(asked)
    expect({ target_count, performed_count, failed_count }).to.deep.equal({
      target_count: 4,
      performed_count: 4,
      failed_count: 0,
    })
    expect(await textAt(file_url)).to.equal(csv(...['Ada', 'Bob', 'Cleo', 'Dan'].map(line)))
  })

  it('contain the selected contacts, for each of the four selections', async () => {
    const named = [{ attribute: 'first_name', clause: 'eq', value: 'Bob' }]
    const filter = createdBody(
      await tenant.api.post(`${workspace}/refine_filters`, { refine_filter: { criteria: named } }),
    )
    const { stable_id } = createdBody(
      await tenant.api.post(`${workspace}/contacts/filters`, { text: 'first name is Bob or first name is Ada' }),
    )
    const of = async (sent: object) => textAt((await done(sent)).file_url)
    expect(await of({ target_ids: [people.Dan!.public_id, people.Ada!.id] })).to.equal(csv(line('Ada'), line('Dan')))
    expect(await of({ stored_filter_id: filter.public_id })).to.equal(csv(line('Bob')))
    expect(await of({ filter_id: filter.id })).to.equal(csv(line('Bob')))
    expect(await of({ stable_id })).to.equal(csv(line('Ada'), line('Bob')))
  })

  it('are refused without exactly one selection, and with fields that no contact has', async () => {
    const refused: readonly (readonly [field: string, sent: object])[] = [
      ['target_ids', {}],
      ['target_all', { target_all: true, target_ids: [people.Ada!.id] }],
      ['stable_id', { stable_id: 'x' }],
      ['stored_filter_id', { stored_filter_id: 2_000_000_000 }],
      ['fields', { target_all: true, fields: undefined }],
      ['fields', { target_all: true, fields: null }],
      ['fields', { target_all: true, fields: [] }],
      ['fields', { target_all: true, fields: 'email_address' }],
      ['fields', { target_all: true, fields: [7] }],
      ['fields', { target_all: true, fields: [''] }],
      ['fields', { target_all: true, fields: Array(201).fill('id') }],
    ]
    for (const [field, sent] of refused) {
      const { status, body } = await ask(sent)
      expect(status, JSON.stringify(sent)).to.equal(422)
      expect(body.details[0].field, JSON.stringify(sent)).to.equal(`contacts_export_action.${field}`)
    }
    for (const name of ['nonsense', 'Favourite colour', 'custom_attributes', 'tags', '__proto__', 'a.b', '$where']) {
      const { status, body } = await ask({ target_all: true, fields: ['id', name, 'favourite_colour', 'unheard_of'] })
      expect(status).to.equal(422)
      expect(body.error).to.equal(`Request unprocessable: Fields contains invalid field names: ${name}, unheard_of`)
    }
  })

  it('disarm formulas, and show every character as it is', async () => {
    const odd = await contact('Odd', {
      first_name: '=HYPERLINK("http://x.example")',
      last_name: 'Ünï "cödé" 🎉, Jr.\nSecond line',
      phone_number: '+49 30 901820',
      custom_attributes: { note: '@SUM(1)', sum: '-5', constructor_name: '' },
    })
    const columns = ['first_name', 'last_name', 'phone_number', 'note', 'sum', 'fb_url', 'tag_ids', 'is_active']
    const { file_url } = await done({ target_ids: [odd.id], fields: columns })
    const [header, ...lines] = (await textAt(file_url)).split('\r\n')
    expect(header).to.equal('First name,Last name,Phone number,Note,Sum,Fb url,Tag ids,Is active')
    expect(lines.join('\r\n')).to.equal(
      `"'=HYPERLINK(""http://x.example"")","Ünï ""cödé"" 🎉, Jr.\nSecond line",+49 30 901820,'@SUM(1),-5,,,true\r\n`,
    )
    await tenant.api.delete(`/contacts/${odd.id}`)
  })

  it('show contacts as of the time they are processed, and count those removed by then', async () => {
    const [eve, gone] = [await contact('Eve'), await contact('Gone')]
    const asked = await ask({ target_ids: [eve.id, gone.id], scheduled_for: shortly() })
    expect((await tenant.api.delete(`/contacts/${gone.id}`)).status).to.equal(204)
    const action = await ended(asked)
    expect(action).to.include({ target_count: 2, performed_count: 2, failed_count: 1 })
    expect(action.failed_ids).to.deep.equal([gone.id])
    createdBody(await tenant.api.put(`/contacts/${eve.id}`, { contact: { first_name: 'Changed' } }))
    expect(await textAt(action.file_url)).to.equal(csv(`${eve.id},eve@export.example,Eve,red`))
    await tenant.api.delete(`/contacts/${eve.id}`)
  })

  it('lose the row of a person that is erased', async () => {
    const mallory = await contact('Mallory')
    const { file_url, id } = await done({ target_ids: [people.Ada!.id, mallory.id] })
    expect(await textAt(file_url)).to.include('mallory@export.example')
    expect((await tenant.api.delete(`/contacts/${mallory.id}/gdpr_destroy`)).status).to.equal(204)
    expect(await textAt(file_url)).to.equal(csv(line('Ada')))
    expect(await textAt((await show(id)).file_url)).to.equal(csv(line('Ada')))
  })

  it('are downloaded by anyone with the link, as a file that is not cached', async () => {
    const { file_url, id } = await done({ target_ids: [people.Ada!.id] })
    const response = await fetch(file_url)
    await response.text()
    expect(Object.fromEntries(response.headers)).to.include({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="contacts-${id}.csv"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
    const head = await fetch(file_url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-type'), await head.text()]).to.deep.equal([
      200,
      'text/csv; charset=utf-8',
      '',
    ])
    expect(await refusal(file_url, 'POST')).to.deep.equal([404, 'No such route'])
  })

  it('show a fresh link each time', async () => {
    const { id } = await done({ target_ids: [people.Ada!.id] })
    const expires = async () => Number(new URL((await show(id)).file_url).searchParams.get('expires'))
    const lists = async () =>
      createdBody(await tenant.api.get(`${workspace}/contacts/export_actions?sort_order=desc`))[0].file_url
    const [first, listed] = [await expires(), await lists()]
    // A third request would be answered from the cache of the second.
    for (let n = 0; n < 2; n++) await Promise.all([expires(), lists()])
    await new Promise((go) => setTimeout(go, 1100))
    expect(await expires()).to.be.greaterThan(first)
    expect(await lists()).not.to.equal(listed)
  })

  it('have links that cannot be forged or altered', async () => {
    const { file_url } = await done({ target_ids: [people.Ada!.id] })
    const other = await done({ target_ids: [people.Bob!.id] })
    const bent = (change: (url: URL) => void) => {
      const url = new URL(file_url)
      change(url)
      return refusal(url)
    }
    const forbidden = [403, 'Forbidden: this is not a link that was given']
    const later = String(Number(new URL(file_url).searchParams.get('expires')) + 1)
    for (const change of [
      (url: URL) => url.searchParams.set('expires', later),
      (url: URL) => url.searchParams.set('workspace_id', String(tenant.workspaceId + 1)),
      (url: URL) => url.searchParams.set('workspace_id', 'x'),
      (url: URL) => url.searchParams.set('signature', 'x'),
      (url: URL) => url.searchParams.set('signature', new URL(other.file_url).searchParams.get('signature')!),
      (url: URL) => url.searchParams.delete('signature'),
      (url: URL) => url.searchParams.delete('expires'),
      (url: URL) => {
        url.pathname = new URL(other.file_url).pathname
      },
      (url: URL) => {
        url.pathname = '/downloads/contacts/tag_action/1'
      },
    ])
      expect(await bent(change)).to.deep.equal(forbidden)
    expect(await refusal(new URL('/', file_url))).to.deep.equal([404, 'No such route'])
    expect(await refusal(new URL('/downloads/../health', file_url))).to.deep.equal([404, 'No such route'])
  })

  it('are gone with the action, also before it is done', async () => {
    const { id, file_url } = await done({ target_ids: [people.Ada!.id] })
    const later = createdBody(await ask({ target_ids: [people.Ada!.id], scheduled_for: '2099-01-01T00:00:00Z' }))
    for (const each of [id, later.id]) {
      expect((await tenant.api.delete(`/contacts/export_actions/${each}`)).status).to.equal(204)
      expect((await tenant.api.get(`/contacts/export_actions/${each}`)).status).to.equal(404)
    }
    expect(await refusal(file_url)).to.deep.equal([404, 'Not found: Record missing'])
    const { blobs } = (await testService()).background.stores
    for (let tries = 0; (await blobs.has(`contacts/export_action-${id}`, 0)) && tries < 3000; tries++)
      await new Promise((go) => setTimeout(go, 10))
    expect(await blobs.has(`contacts/export_action-${id}`, 0)).to.equal(false)
  })

  it('are visible in no other workspace, and need the scope to write contacts', async () => {
    const { id } = await done({ target_ids: [people.Ada!.id] })
    const stranger = await (await testService()).tenant()
    for (const method of ['GET', 'DELETE'])
      expect((await stranger.api.call(method, `/contacts/export_actions/${id}`)).status).to.equal(404)
    expect((await stranger.api.get(`${workspace}/contacts/export_actions`)).status).to.equal(404)
    const reader = await tenant.withScopes(['contacts:read'])
    expect(createdBody(await reader.get(`/contacts/export_actions/${id}`)).file_url).to.be.a('string')
    const body = { contacts_export_action: { fields, target_all: true } }
    expect((await reader.post(`${workspace}/contacts/export_actions`, body)).status).to.equal(403)
    const raw = await tenant.api.post(`${workspace}/contacts/export_actions`, undefined, { raw: '{' })
    expect([raw.status, raw.body.error]).to.deep.equal([400, 'Bad request: HTTP body must be valid JSON'])
  })
})
