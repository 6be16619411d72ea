import { expect } from 'chai'
import { type Route, routesOf } from '../../../api/routes.ts'
import { resources } from '../../../domain/index.ts'
import type { EventLog } from '../../../domain/kernel/ports/event-log.ts'
import { ok } from '../../support/client.ts'
import { preparing } from '../../support/operations.ts'
import { startTestService, type Tenant } from '../../support/service.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { withOwn } from '../../support/with-own.ts'

const SAYS = 'Conflict: The test clock of this workspace is being advanced; try again when it is ready'
const DAY = 24 * 60 * 60 * 1000

/** Operations on what is no workspace's: a team, its people and its keys have the clock of the machine. */
const OF_NO_WORKSPACE: ReadonlySet<string> = new Set([
  'createPlatformApplications',
  'createTeamsInvitations',
  'removePlatformApplications',
  'rotateSecretPlatformApplications',
  'updatePlatformApplications',
  'updateTeam',
  'withdrawInvitations',
])

const routes = routesOf(resources)
const writes = routes.filter(({ operation }) => operation.kind === 'write')

/** A log in which no clock arrives while it is held. */
const holdable = () => {
  let held = Promise.resolve()
  let release = () => {}
  const asSeen = (log: EventLog): EventLog =>
    withOwn(log, {
      async append(request) {
        if (request.events.some(({ type }) => type === 'WorkspaceClockArrived')) await held
        return log.append(request)
      },
    })
  const hold = () => {
    held = new Promise((go) => {
      release = go
    })
  }
  return { asSeen, hold, release: () => release() }
}

describe('every operation while the clock of its workspace is being advanced', () => {
  const clocks = holdable()
  const prepared = new Map<Route, { readonly path: string; readonly body: object | undefined }>()
  let own: Tenant
  let ofTeam: Tenant
  let clock: string

  before(async () => {
    const service = await startTestService({}, clocks.asSeen)
    own = await service.tenant({ test: true })
    ofTeam = { ...own, api: await own.withScopes(['read', 'write'], 'team') }
    for (const route of writes) prepared.set(route, await preparing(() => own, route).prepared())
    clock = `/workspaces/${own.workspaceId}/test_clock`
    const { now } = createdBody(await own.api.get(clock))
    clocks.hold()
    ok(await own.api.post(clock, { to: new Date(Date.parse(now) + DAY).toISOString() }))
  })

  after(async () => {
    clocks.release()
    for (;;) {
      if (createdBody(await own.api.get(clock)).state === 'ready') break
      await new Promise((go) => setTimeout(go, 5))
    }
  })

  for (const route of writes) {
    const { method, operationId, operation } = route
    const send = async () => {
      const { path, body } = prepared.get(route)!
      return (operation.ofTeam ? ofTeam : own).api.call(method, path, body)
    }
    if (OF_NO_WORKSPACE.has(operationId))
      it(`${operationId} goes on`, async () => {
        expect((await send()).status).to.be.below(300)
      })
    else
      it(`${operationId} is refused`, async () => {
        const { status, body } = await send()
        expect([status, body?.error]).to.deep.equal([409, SAYS])
      })
  }
})
