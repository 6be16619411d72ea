import { expect } from 'chai'
import { type ApiClient, ok } from '../../support/client.ts'
import { completeAddress } from '../../support/records/emails.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, testService } from '../../support/service.ts'

/** HTML that no recipient could get as it must be, with why. */
const HTML: Readonly<Record<string, RegExp>> = {
  [`${'<div>'.repeat(30_000)}x`]: /depth|makes too much/,
  [`${'<a href="https://a.example/">x</a>'.repeat(5000)}`]: /makes too much/,
  ['x'.repeat(210_000)]: /too long/,
  '{% for i in (1..100000) %}{% for j in (1..100000) %}x{% endfor %}{% endfor %}': /too long|too much/,
  '<html><body style="display:none">x</body></html>': /hidden/,
  '<html><body hidden>x': /hidden/,
  '<frameset><frame src="x"></frameset>': /frames/,
  'x<plaintext>y': /plaintext/,
}

/** HTML with mistakes that are made good, and Liquid that only some values fail. */
const FINE = [
  '<html><body>x</body></html><!-- </body> -->',
  '<style>/* </body> ',
  '<div style="display:none">x',
  '{{ contact.custom_attributes.points | divided_by: 2 }}{{ order.total | times: 3 }}',
  '{% for line in order.lines %}<tr><td>{{ line.name }}</td></tr>{% endfor %}',
]

type Sending = (html: string) => ReturnType<ApiClient['post']>

describe('texts that are saved', () => {
  let tenant: Tenant
  let ways: Readonly<Record<string, Sending>>
  let workflowId: number
  let from_email: string

  before(async () => {
    tenant = await (await testService()).tenant()
    await completeAddress(tenant)
    const { api, workspaceId } = tenant
    const at = `/workspaces/${workspaceId}`
    const address = await recordMakers['emails/address']!.make(tenant)
    from_email = ok(await api.get(`/emails/addresses/${address}`)).email_address
    const { id: template } = ok(
      await api.post(`${at}/emails/templates`, { emails_template: { name: 'T', subject: 'S' } }),
    )
    workflowId = ok(await api.post(`${at}/workflows`, { workflow: { name: 'Flow' } })).id
    ways = {
      'emails_template.html_body': (html_body) =>
        api.post(`${at}/emails/templates`, { emails_template: { name: 'T', subject: 'S', html_body } }),
      'emails_template.html_body ': (html_body) =>
        api.put(`/emails/templates/${template}`, { emails_template: { html_body } }),
      'emails_owed_template.html_body': (html_body) =>
        api.post(`${at}/emails/owed_templates`, {
          emails_owed_template: { kind: 'order_confirmation', locale: 'en', html_body },
        }),
      'emails_broadcast.html_body': (html_body) =>
        api.post(`${at}/emails/broadcasts`, { emails_broadcast: { name: 'B', subject: 'S', from_email, html_body } }),
      'step_type_settings.send_email_step.html_body': (html_body) =>
        api.post(`/workflows/${workflowId}/steps`, {
          workflows_step: { step_type_settings: { send_email_step: { subject: 'S', html_body } } },
        }),
    }
  })

  it('are refused where no mail can be made of them, naming the field, and nothing is stored', async () => {
    for (const [html, says] of Object.entries(HTML))
      for (const [field, send] of Object.entries(ways)) {
        const { status, body } = await send(html)
        expect([status, body.details?.[0]?.field], `${field}: ${html.slice(0, 40)}`).to.deep.equal([422, field.trim()])
        expect(body.error, html.slice(0, 40)).to.match(says)
      }
    const { api, workspaceId } = tenant
    expect(ok(await api.get(`/workspaces/${workspaceId}/emails/templates`))).to.have.length(1)
    expect(ok(await api.get(`/workspaces/${workspaceId}/emails/broadcasts`))).to.deep.equal([])
    expect(ok(await api.get(`/workflows/${workflowId}/steps`))).to.deep.equal([])
  })

  it('are taken where only some values could fail them, or a mistake can be made good', async () => {
    const { api, workspaceId } = tenant
    for (const html_body of FINE) {
      const emails_template = { name: 'T', subject: 'S', html_body }
      expect((await api.post(`/workspaces/${workspaceId}/emails/templates`, { emails_template })).status).to.equal(201)
    }
  })

  it('are refused in subjects and messages that take too much', async () => {
    const { api, workspaceId } = tenant
    const endless = '{% for i in (1..100000) %}{% for j in (1..100000) %}x{% endfor %}{% endfor %}'
    const notify_step = { message: endless }
    const step = { workflows_step: { step_type_settings: { notify_step } } }
    const emails_broadcast = { name: 'B', subject: endless, from_email }
    for (const [{ status, body }, field] of [
      [await api.post(`/workflows/${workflowId}/steps`, step), 'step_type_settings.notify_step.message'],
      [
        await api.post(`/workspaces/${workspaceId}/emails/broadcasts`, { emails_broadcast }),
        'emails_broadcast.subject',
      ],
    ] as const)
      expect([status, body.details?.[0]?.field]).to.deep.equal([422, field])
  })

  describe('whose sum costs too much, though each alone is fine', () => {
    /** Takes more than half of what a mail may cost. */
    const HALF = '{% for i in (1..35) %}{% for j in (1..100) %}{{ "" }}{% endfor %}{% endfor %}x'
    const SECOND = `${HALF} y`
    let ofTemplate: number
    let at: string

    const templateWith = async (texts: object): Promise<number> =>
      ok(await tenant.api.post(`${at}/emails/templates`, { emails_template: { name: 'T', ...texts } })).id

    const refusesAt = async (sending: ReturnType<ApiClient['post']>, field: string) => {
      const { status, body } = await sending
      expect([status, body.details?.[0]?.field, body.error]).to.deep.equal([422, field, body.error])
      expect(body.error).to.match(/makes too much/)
    }

    before(async () => {
      at = `/workspaces/${tenant.workspaceId}`
      ofTemplate = await templateWith({ subject: 'S', html_body: HALF })
    })

    it('are refused at the text of a template that leaves too little for one that it has', async () => {
      const { api } = tenant
      const id = await templateWith({ subject: HALF })
      await refusesAt(
        api.put(`/emails/templates/${id}`, { emails_template: { html_body: SECOND } }),
        'emails_template.html_body',
      )
      const { subject, html_body } = ok(await api.get(`/emails/templates/${id}?expand[]=html_body`))
      expect([subject, html_body ?? null]).to.deep.equal([HALF, null])
    })

    it('are refused at the subject, the line before it or the template of a broadcast, whichever is new', async () => {
      const { api } = tenant
      const post = (fields: object) =>
        api.post(`${at}/emails/broadcasts`, { emails_broadcast: { name: 'B', from_email, ...fields } })
      const { length } = ok(await api.get(`${at}/emails/broadcasts`))
      await refusesAt(post({ subject: HALF, template_id: ofTemplate }), 'emails_broadcast.subject')
      await refusesAt(
        post({ subject: 'S', preheadline: HALF, template_id: ofTemplate }),
        'emails_broadcast.preheadline',
      )
      const { id } = ok(await post({ subject: HALF }))
      const put = (fields: object) => api.put(`/emails/broadcasts/${id}`, { emails_broadcast: fields })
      await refusesAt(put({ template_id: ofTemplate }), 'emails_broadcast.template_id')
      ok(await put({ subject: 'S', template_id: ofTemplate }))
      await refusesAt(put({ subject: HALF }), 'emails_broadcast.subject')
      expect(ok(await api.get(`${at}/emails/broadcasts`))).to.have.length(length + 1)
      expect(ok(await api.get(`/emails/broadcasts/${id}`)).subject).to.equal('S')
    })

    it('are refused at the setting of a step', async () => {
      const { api } = tenant
      const post = (send_email_step: object) =>
        api.post(`/workflows/${workflowId}/steps`, { workflows_step: { step_type_settings: { send_email_step } } })
      const at = (setting: string) => `step_type_settings.send_email_step.${setting}`
      await refusesAt(post({ subject: HALF, html_body: HALF }), at('subject'))
      await refusesAt(post({ subject: HALF, template_id: ofTemplate }), at('subject'))
      const { id } = ok(await post({ subject: 'S', template_id: ofTemplate }))
      const put = (send_email_step: object) =>
        api.put(`/workflows/steps/${id}`, { workflows_step: { step_type_settings: { send_email_step } } })
      await refusesAt(put({ subject: HALF }), at('subject'))
      ok(await put({ subject: 'Other' }))
    })
  })
})
