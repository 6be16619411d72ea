import { expect } from 'chai'
import { workspaces } from '../../../domain/account/workspace.ts'
import { AT, ask, given, stateAfter } from '../../support/decider.ts'

const opened = { type: 'WorkspaceOpened', data: { name: 'Shop', subdomain: 'first', currency: 'USD', test: false } }
const DAY_MS = 24 * 60 * 60_000
const daysAfter = (days: number) => new Date(Date.parse(AT) + days * DAY_MS).toISOString()
const UNTIL = daysAfter(90)

const renamed = (subdomain: string) => ({ type: 'WorkspaceChanged', data: { subdomain } })
const givenUp = (...names: readonly string[]) => ({
  type: 'SubdomainGivenUp',
  data: { former_subdomains: names.map((name) => ({ name, until: UNTIL })) },
})
const held = (...events: Parameters<typeof stateAfter>[1]) =>
  workspaces.claims(stateAfter(workspaces, events)).map(({ scope, value }) => `${scope} ${value}`)

describe('the subdomain of a workspace', () => {
  it('is kept for 90 days by the workspace that gives it up', () => {
    const change = (to: string) => ask('change', { subdomain: to })
    given(workspaces, opened).when(change('second')).then(renamed('second'), givenUp('first'))
    given(workspaces, opened, renamed('second'), givenUp('first'))
      .when(change('third'))
      .then(renamed('third'), givenUp('first', 'second'))
    expect(held(opened, renamed('second'), givenUp('first'))).to.have.members([
      'workspace.subdomain first',
      'workspace.subdomain second',
    ])
  })

  it('is taken back at any time, and then is not free later', () => {
    given(workspaces, opened, renamed('second'), givenUp('first'))
      .when(ask('change', { subdomain: 'first' }))
      .then(renamed('first'), givenUp('second'))
  })

  it('is free when the 90 days are over, each name at its own time', () => {
    const before = [opened, renamed('second'), givenUp('first')]
    const free = (days: number) => ({ ...ask('freeFormerNames', {}), at: daysAfter(days) })
    given(workspaces, ...before)
      .when(free(89))
      .then()
    given(workspaces, ...before)
      .when(free(90))
      .then({ type: 'FormerSubdomainsFreed', data: { former_subdomains: [] } })
    const freed = { type: 'FormerSubdomainsFreed', data: { former_subdomains: [] } }
    expect(held(...before, freed)).to.deep.equal(['workspace.subdomain second'])
  })

  it('can be changed ten times, so that nobody keeps more names than that from others', () => {
    const names = Array.from({ length: 10 }, (_, number) => `name-${number}`)
    given(workspaces, opened, renamed('last'), givenUp(...names))
      .when(ask('change', { subdomain: 'more' }))
      .refuses('invalid', 'Subdomain can be changed at most 10 times')
    given(workspaces, opened, renamed('last'), givenUp(...names))
      .when(ask('change', { subdomain: 'name-3' }))
      .then(renamed('name-3'), givenUp(...names.filter((name) => name !== 'name-3'), 'last'))
  })
})
