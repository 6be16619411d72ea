import { expect } from 'chai'
import { type Route, routesOf } from '../../api/routes.ts'
import { resources } from '../../domain/index.ts'
import type { ListOperation } from '../../domain/resources/operation.ts'
import { type Answer, apiClient } from '../support/client.ts'
import { millrace } from '../support/millrace.ts'
import { bodyOf, ODD, textPlaces, validFields, withOddText } from '../support/odd-texts.ts'
import { recordMakers } from '../support/records.ts'
import type { Tenant } from '../support/service.ts'
import { byForm, patience, printFigures } from './form.ts'
import { expectDocumentsOfLog } from './history.ts'
import { all } from './ledger.ts'
import { type ServiceProcess, type SuiteDirectories, startServiceProcess, suiteDirectories } from './service-process.ts'

const routes = routesOf(resources)
const showOf = (resource: string) =>
  routes.find((route) => route.operation.kind === 'show' && route.resource.name === resource)
/** An image is fetched from this machine, and its URL must be the same after a restart. */
const SETTINGS = {
  MILLRACE_ALLOW_PRIVATE_TARGETS: '1',
  MILLRACE_PUBLIC_URL: 'https://pictures.example',
  MILLRACE_MAIL_DOMAIN: 'mail.millrace-shop.com',
}
/** Resources whose records change by themselves. */
const GOING_ON: ReadonlySet<string> = new Set(['communities/memberships/ban_action', 'orders/checkout'])

/** Fields that are accepted, so that an answer can be sent back, but ignored. */
const IGNORED = new Set(['createProductsPrices currency', 'updateProductsPrices currency'])
/** Percent-encoded bytes. A lone surrogate cannot be encoded properly; these are the bytes that older encoders made of it. */
const IN_QUERY = ['%00', 'a%00b', '%01', '%ED%A0%80', 'a%ED%A0%81', '%FF', 'x%00%01,y%00']

describe('texts with NUL, U+0001 and lone surrogates', function () {
  this.timeout(patience)
  let places: SuiteDirectories
  let data: string
  let life: ServiceProcess
  let tenant: Tenant
  /** Answers as last seen after a write, by the path of the record. */
  const shown = new Map<string, Answer['body']>()
  let [accepted, refused] = [0, 0]

  before(async () => {
    places = suiteDirectories('odd')
    data = places.place()
    life = await startServiceProcess(data, { settings: SETTINGS })
    const api = apiClient(life.url, life.ready.api_key!)
    const teamId = (await api.get('/me')).body.connected_workspace.team_id as number
    const { out } = await millrace(['keys', 'create', '--data', data, '--team', '--json'])
    const teamToken = (JSON.parse(out) as { token: string }).token
    // Only what takes a key of the team asks for another one.
    const withScopes = async () => apiClient(life.url, teamToken)
    tenant = { teamId, workspaceId: life.ready.workspace_id, token: life.ready.api_key!, api, withScopes }
  })
  after(async () => {
    await life.stop('SIGKILL')
    places.clear()
  })

  const again = async () => {
    life = await startServiceProcess(data, { settings: SETTINGS })
    tenant = { ...tenant, api: apiClient(life.url, tenant.token) }
  }

  /** The path of an operation, filled with ids of existing records. */
  const pathOf = async ({ path, resource }: Route): Promise<string> => {
    let filled = path
    for (const [placeholder, param] of path.matchAll(/\{([^}]+)\}/g)) {
      const isOwner = param === resource.under.param
      const maker = recordMakers[isOwner ? resource.under.resource : resource.name]!
      const id = isOwner && recordMakers[resource.name]?.owner
      filled = filled.replace(placeholder, String(await (id ? id(tenant) : maker.make(tenant))))
    }
    return filled
  }

  /** A link to a file is signed anew by each answer, for a day from its second on. */
  const unsigned = (value: string) => value.replace(/expires=\d+&signature=[\w-]+$/, '')

  /** Remembers the answer of a record's own path. Expects that the write was answered with the same. */
  const remember = async (route: Route, path: string, body: Answer['body']): Promise<void> => {
    const show = showOf(route.resource.name)
    if (typeof body?.id !== 'number' || !show || route.operation.kind !== 'write') return
    if (GOING_ON.has(route.resource.name)) return
    const owner = /\/(\d+)\//.exec(path)?.[1] ?? ''
    const own = show.path.replace('{id}', String(body.id)).replace(/\{[^}]+\}/, owner)
    const answer = await tenant.api.get(own)
    expect(answer.status, own).to.equal(200)
    shown.set(own, answer.body)
    for (const [name, value] of Object.entries(answer.body)) {
      if (typeof value === 'string') expect(unsigned(value), `${name} of ${own}`).to.equal(unsigned(body[name]))
    }
  }

  let turn = 0
  /** What is put into a place: all of them, or in the short form one, and another into the next place. */
  const oddTexts = () => byForm([ODD[turn++ % ODD.length]!], ODD)

  const odd = async (route: Route): Promise<void> => {
    const { root } = bodyOf(route)!
    const path = await pathOf(route)
    for (const place of textPlaces(route, await validFields(tenant, route)))
      for (const each of oddTexts()) {
        const { fields, text } = withOddText(route, await validFields(tenant, route), place, each)
        const api = route.operation.ofTeam ? await tenant.withScopes(['read', 'write'], 'team') : tenant.api
        const answer = await api.call(route.method, path, root === null ? fields : { [root]: fields })
        const what = `${route.operationId} ${place.join('.')} ${JSON.stringify(text)}: ${JSON.stringify(answer.body)}`
        expect(answer.status, what).to.be.lessThan(500)
        if (answer.status >= 300) {
          refused++
          expect(answer.body.error, what).to.be.a('string')
          if (!text.includes('\u0001')) expect(JSON.stringify(answer.body), what).not.to.include('taken')
          continue
        }
        accepted++
        const back = place.reduce<unknown>((inner, key) => Object(inner)[key], answer.body)
        // A path without a leading slash gets one.
        if (typeof back === 'string' && !IGNORED.has(`${route.operationId} ${place.join('.')}`))
          expect(back.replace(/^\//, ''), what).to.equal(text)
        await remember(route, path, answer.body)
      }
  }

  for (const route of routes.filter((each) => bodyOf(each) !== undefined && each.method !== 'DELETE'))
    it(`in ${route.operationId}: given back as they were sent, or refused`, () => odd(route))

  it('in what must be unique: not mistaken for one another', async () => {
    const tags = `/workspaces/${tenant.workspaceId}/contacts/tags`
    for (const names of [
      ['a\u0000b', 'a\u0000c'],
      ['\ud800', '\ud801'],
      ['a\u0001b', 'a\u0001c'],
      ['a\ud800', 'a\udfff'],
    ])
      for (const name of names) {
        const { status, body } = await tenant.api.post(tags, { contacts_tag: { name } })
        const what = `${JSON.stringify(name)}: ${JSON.stringify(body)}`
        if (status === 201) expect(body.name, what).to.equal(name)
        else expect(JSON.stringify(body), what).not.to.include('taken')
        expect(status, what).to.be.oneOf([201, 422])
      }
    const found = await tenant.api.get(`${tags}?filter[name]=${encodeURIComponent('a\u0001c')}`)
    expect(found.body.map(({ name }: { name: string }) => name)).to.deep.equal(['a\u0001c'])
  })

  it('in the keys of custom attributes: each kept apart, or refused', async () => {
    for (const [one, other] of [
      ['k\u0000b', 'k\u0000c'],
      ['k\u0001b', 'k\u0001c'],
      ['k\ud800', 'k\ud801'],
    ] as const) {
      const custom_attributes = { [one]: 'first', [other]: 'second' }
      const answer = await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts`, {
        contact: { custom_attributes },
      })
      const what = JSON.stringify([custom_attributes, answer.body])
      expect(answer.status, what).to.be.oneOf([201, 422])
      if (answer.status === 422) continue
      expect(Object.values(answer.body.custom_attributes), what).to.have.members(['first', 'second'])
      await remember(routes.find(({ operationId }) => operationId === 'createContacts')!, '', answer.body)
    }
  })

  it('in filters, sorts and cursors of lists: never a 5xx', async () => {
    let asked = 0
    for (const route of routes) {
      if (route.operation.kind !== 'list') continue
      const path = await pathOf(route)
      const { filters, select } = route.operation as ListOperation
      const parameters = [
        ...Object.keys(filters).map((name) => `filter[${name}]`),
        ...Object.keys(select?.parameters ?? {}),
        ...['filter[unknown]', 'sort_property', 'sort_order', 'after', 'expand[]', 'as_of'],
      ]
      for (const parameter of parameters)
        for (const text of byForm([IN_QUERY[asked % IN_QUERY.length]!], IN_QUERY)) {
          const { status, body } = await tenant.api.get(`${path}?${parameter}=${text}`)
          expect(status, `${path}?${parameter}=${text} ${JSON.stringify(body)}`).to.be.lessThan(500)
          asked++
        }
    }
    printFigures(
      'odd texts',
      `${accepted} accepted, ${refused} refused, ${asked} in queries; ${shown.size} records shown again`,
    )
  })

  /** Expects that every list of the workspace shows its records as their own paths do. */
  const expectListed = async (): Promise<void> => {
    const target = { url: life.url, token: tenant.token, workspaceId: tenant.workspaceId }
    let seen = 0
    for (const { path, operation, resource } of routes) {
      if (operation.kind !== 'list' || resource.under.param !== 'workspace_id') continue
      if ((operation as ListOperation).envelope !== undefined) continue
      for (const item of await all(target, path.replace('{workspace_id}', String(tenant.workspaceId)))) {
        const body = shown.get(showOf(resource.name)?.path.replace('{id}', item.id) ?? '')
        if (!body) continue
        expect(textsIn(item), `${path} ${item.id}`).to.deep.equal(textsIn(body))
        seen++
      }
    }
    expect(seen, 'records seen in lists').to.be.greaterThan(10)
  }

  const expectShown = async (when: string): Promise<void> => {
    for (const [path, body] of shown) {
      const { status, body: now } = await tenant.api.get(path)
      expect(status, `${path} ${when}`).to.equal(200)
      expect(textsIn(now), `${path} ${when}`).to.deep.equal(textsIn(body))
    }
  }

  it('are the same in lists, after a restart and after a rebuild', async () => {
    await expectShown('now')
    await expectListed()
    expect(await life.stop()).to.equal(0)
    await again()
    await expectShown('after a restart')
    await expectDocumentsOfLog(life, data)
    await again()
    await expectShown('after a rebuild')
  })
})

/** All texts in a body, except signed links, which change with each request. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value.includes('&signature=') ? [] : [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
