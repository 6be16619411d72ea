import { expect } from 'chai'
import { clockOf, clockTime } from '../../../domain/account/clock.ts'
import { workspaces } from '../../../domain/account/workspace.ts'
import { AT, ask, given, stateAfter } from '../../support/decider.ts'

const opened = (test: boolean) => ({
  type: 'WorkspaceOpened',
  data: { name: 'Shop', subdomain: 'shop', currency: 'USD', test },
})
const TO = '2026-04-01T00:00:00.000Z'
const BETWEEN = '2026-03-15T00:00:00.000Z'
const sent = { type: 'WorkspaceClockSent', data: { clock_at: AT, clock_target: TO } }
const moved = (to: string) => ({ type: 'WorkspaceClockMoved', data: { clock_at: to } })
const arrived = (clock_offset_ms: number) => ({ type: 'WorkspaceClockArrived', data: { clock_offset_ms } })

const clockAfter = (...events: Parameters<typeof stateAfter>[1]) =>
  clockOf(stateAfter(workspaces, events).documents.workspace!.get(1)!)

describe('the clock of a workspace', () => {
  it('is the clock of the machine unless it was created as a test workspace', () => {
    given(workspaces)
      .when(ask('create', { name: 'Shop', subdomain: 'shop', currency: 'USD', test: true }))
      .then(opened(true))
    given(workspaces)
      .when(ask('create', { name: 'Shop', subdomain: 'shop', currency: 'USD' }))
      .then(opened(false))
    expect(clockAfter(opened(false))).to.equal(undefined)
    expect(
      clockAfter({ type: 'WorkspaceOpened', data: { name: 'Shop', subdomain: 'shop', currency: 'USD' } }),
    ).to.equal(undefined)
    given(workspaces, opened(false))
      .when(ask('advanceClock', { to: TO }))
      .refuses('invalid', 'Only a workspace that was made as a test workspace has a test clock')
  })

  it('stands still while it is advanced, and runs on from there', () => {
    given(workspaces, opened(true))
      .when(ask('advanceClock', { to: TO }))
      .then(sent)
    given(workspaces, opened(true), sent)
      .when(ask('moveClock', { to: BETWEEN }))
      .then(moved(BETWEEN))
    given(workspaces, opened(true), sent)
      .when(ask('moveClock', { to: TO }))
      .then(moved(TO))
    given(workspaces, opened(true), sent, moved(TO))
      .when(ask('letClockRun', { offset_ms: 900 }))
      .then(arrived(900))
    const machine = Date.parse(AT) + 70
    expect(clockTime(clockAfter(opened(true))!, machine)).to.equal(machine)
    expect(clockTime(clockAfter(opened(true), sent)!, machine)).to.equal(Date.parse(AT))
    expect(clockTime(clockAfter(opened(true), sent, moved(BETWEEN))!, machine)).to.equal(Date.parse(BETWEEN))
    expect(clockTime(clockAfter(opened(true), sent, arrived(900))!, machine)).to.equal(machine + 900)
  })

  it('only ever goes forward', () => {
    given(workspaces, opened(true))
      .when(ask('advanceClock', { to: AT }))
      .refuses('invalid', `To must be after what the clock shows, ${AT}`)
    given(workspaces, opened(true))
      .when(ask('moveClock', { to: BETWEEN }))
      .thenNothing()
    given(workspaces, opened(true), sent, moved(BETWEEN))
      .when(ask('moveClock', { to: BETWEEN }))
      .thenNothing()
    given(workspaces, opened(true), sent)
      .when(ask('moveClock', { to: '2026-04-01T00:00:00.001Z' }))
      .thenNothing()
    given(workspaces, opened(true), sent, arrived(900), sent)
      .when(ask('letClockRun', { offset_ms: 400 }))
      .then(arrived(900))
    given(workspaces, opened(true), sent, arrived(900))
      .when(ask('letClockRun', { offset_ms: 1000 }))
      .thenNothing()
  })

  it('advances by ten years at most, and only once at a time', () => {
    given(workspaces, opened(true))
      .when(ask('advanceClock', { to: '2036-03-01T09:00:00.000Z' }))
      .then({ type: 'WorkspaceClockSent', data: { clock_at: AT, clock_target: '2036-03-01T09:00:00.000Z' } })
    given(workspaces, opened(true))
      .when(ask('advanceClock', { to: '2036-03-01T09:00:00.001Z' }))
      .refuses('invalid', `To must be at most 10 years after ${AT}`)
    given(workspaces, opened(true), sent)
      .when(ask('advanceClock', { to: TO }))
      .refuses('conflict', /is being advanced/)
  })
})
