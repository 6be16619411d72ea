import { expect } from 'chai'
import { Refusal } from '../../../domain/kernel/refusal.ts'
import { pageAggregate } from '../../../domain/pages/page/aggregate.ts'
import { type PageCommand, SEARCH_DEFAULTS } from '../../../domain/pages/page/decide.ts'
import type { PageEvent } from '../../../domain/pages/page/events.ts'
import { externalUrl } from '../../../domain/pages/page/external-url.ts'
import { NO_CODE } from '../../../domain/pages/page/state.ts'
import { AT, basics, given, WORKSPACE } from '../../support/decider.ts'

const NO_FACTS = { requiredByTheme: false }
const hosted: PageEvent = {
  type: 'PageCreated',
  data: {
    name: 'Opt in',
    description: null,
    current_path: '/opt-in',
    theme_id: null,
    markup: '',
    ...SEARCH_DEFAULTS,
    ...NO_CODE,
  },
}
const registered: PageEvent = {
  type: 'ExternalPageRegistered',
  data: { name: 'example.com', description: null, external_url: 'https://example.com/a' },
}
const minted: PageEvent = { type: 'TokenMinted', data: { token: 'cfp_x' } }
const external = [registered, minted]

type Fields = Extract<PageCommand, { readonly type: 'ChangePage' }>['fields']
const change = (fields: Fields, misplaced: { hostedOnly?: readonly string[]; externalOnly?: readonly string[] } = {}) =>
  ({ type: 'ChangePage', fields, hostedOnly: [], externalOnly: [], ...misplaced, ...basics }) as const

describe('hosted page', () => {
  it('is created with its defaults, and has no token', () => {
    given(pageAggregate)
      .when({ type: 'CreatePage', fields: { name: 'Opt in' }, path: '/opt-in', ...basics }, NO_FACTS)
      .then(hosted)
    given(pageAggregate, hosted)
      .when({ type: 'CreatePage', fields: { name: 'Opt in' }, path: '/opt-in', ...basics }, NO_FACTS)
      .thenNothing()
  })

  it('changes what is different, in the words of what happened', () => {
    given(pageAggregate, hosted)
      .when(
        change({ name: 'New', description: 'D', seo_index: true, head_code: '<x>', markup: '<section></section>' }),
        NO_FACTS,
      )
      .then(
        { type: 'PageRenamed', data: { name: 'New' } },
        { type: 'PageDescribed', data: { description: 'D' } },
        { type: 'SearchSettingsSet', data: { seo_index: true } },
        { type: 'PageCodeSet', data: { head_code: '<x>' } },
        { type: 'MarkupPublished', data: { markup: '<section></section>' } },
      )
    given(pageAggregate, hosted)
      .when(change({ name: 'Opt in', description: null, seo_index: false }), NO_FACTS)
      .thenNothing()
  })

  it('refuses what only an external page has, and markup that is none', () => {
    given(pageAggregate, hosted)
      .when(change({ external_url: 'https://a.example' }, { externalOnly: ['external_url'] }), NO_FACTS)
      .refuses('invalid', 'The following fields are not valid for internal pages: external_url.')
    given(pageAggregate, hosted)
      .when(change({ name: 'New', markup: '<foo/>' }), NO_FACTS)
      .refuses('malformed', /^Markup is not valid PML: unknown top-level element\(s\) <foo>\./)
    given(pageAggregate, hosted)
      .when(change({ head_code: 'x', head_code_mode: 'after' }), NO_FACTS)
      .refuses('malformed', "Invalid code mode 'after'. Must be 'append' or 'replace'.")
  })

  it('is deleted once, unless a theme needs it', () => {
    const remove = { type: 'DeletePage', pageId: 1, ...basics } as const
    const deleted: PageEvent = { type: 'PageDeleted', data: {} }
    given(pageAggregate, hosted).when(remove, NO_FACTS).then(deleted)
    given(pageAggregate, hosted, deleted)
      .when(remove, NO_FACTS)
      .refuses('notFound', /missing/)
    given(pageAggregate, hosted)
      .when(remove, { requiredByTheme: true })
      .refuses('invalid', 'This page is required by the theme and cannot be deleted.')
  })
})

describe('external page', () => {
  const register = (fields: Fields) => ({ type: 'RegisterExternalPage', fields, token: 'cfp_x', ...basics }) as const

  it('is registered with a token, and named after its host', () => {
    given(pageAggregate)
      .when(register({ external_url: 'https://example.com/a' }), NO_FACTS)
      .then(registered, minted)
    for (const missing of [{}, { external_url: '' }, { external_url: null }]) {
      given(pageAggregate)
        .when(register(missing), NO_FACTS)
        .refuses('invalid', 'external_url is required for external pages.')
    }
  })

  it('keeps its token wherever it moves', () => {
    const moved: PageEvent = {
      type: 'ExternalUrlMoved',
      data: { external_url: 'https://other.example/a', former_url: 'https://example.com/a' },
    }
    given(pageAggregate, ...external)
      .when(change({ external_url: 'https://other.example/a' }), NO_FACTS)
      .then(moved)
    given(pageAggregate, ...external)
      .when(change({ external_url: 'https://EXAMPLE.com/a' }), NO_FACTS)
      .thenNothing()
    const states = [...external, moved].map(({ type, data }) => ({ type, data }) as PageEvent)
    const metadata = { at: AT, actor: 'a', $correlationId: 'c', $causationId: 'c', workspace_id: WORKSPACE }
    const state = states.reduce(
      (before, event) => pageAggregate.evolve(before, { ...event, metadata }),
      pageAggregate.initial,
    )
    expect(state.token).to.equal('cfp_x')
    expect(pageAggregate.claims?.(state).map(({ scope, value }) => [scope, value])).to.deep.equal([
      [`page.external_url:${WORKSPACE}`, 'https://other.example/a'],
    ])
  })

  it('refuses what only a hosted page has', () => {
    given(pageAggregate, ...external)
      .when(change({ markup: '' }, { hostedOnly: ['markup', 'theme_id'] }), NO_FACTS)
      .refuses('invalid', 'The following fields are not valid for external pages: markup, theme_id.')
  })
})

describe('address of an external page', () => {
  it('is kept in its canonical form, with path and fragment as they were sent', () => {
    const kept: readonly (readonly [string, string])[] = [
      ['https://example.com', 'https://example.com/'],
      ['HTTP://Example.COM:80/A/b%2fC.html/', 'http://example.com/A/b%2fC.html/'],
      ['https://example.com:8443/x#Part?1', 'https://example.com:8443/x#Part?1'],
      ['http://localhost:3000/offer', 'http://localhost:3000/offer'],
      ['  https://example.com/ü  ', 'https://example.com/ü'],
      ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ]
    for (const [sent, expected] of kept) expect(externalUrl(sent), sent).to.equal(expected)
  })

  it('is refused when it is not a complete http or https URL without a query', () => {
    const wrong = [
      'example.com',
      'ftp://example.com/',
      'file:///tmp/a.html',
      '/path',
      'https://',
      'https://a b/',
      'https://u:p@example.com/',
      'javascript:alert(1)',
      'https://exa mple.com',
      'http://[::1',
      `https://example.com/${'a'.repeat(2048)}`,
    ]
    for (const sent of [...wrong, 'https://example.com/?a=1', 'https://example.com?']) {
      const refusal = externalUrl(sent)
      if (!(refusal instanceof Refusal)) throw new Error(`${sent} was taken as ${refusal}`)
      expect(refusal.message).to.match(
        /^Validation failed: URL is not a valid URL \(expected something like https:\/\/example.com\/my-page\)/,
      )
      expect(refusal.message).to.include('external_url')
    }
  })
})
