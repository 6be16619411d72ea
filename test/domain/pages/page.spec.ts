import { expect } from 'chai'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { externalUrl } from '../../../domain/pages/page/external-url.ts'
import { pages } from '../../../domain/pages/page/rules.ts'
import { AT, ask, given, WORKSPACE } from '../../support/decider.ts'

const NO_FACTS = { isRequired: false, isSpelledOtherwise: false }
const hosted: DomainEvent = {
  type: 'PageCreated',
  data: {
    name: 'Opt in',
    description: null,
    current_path: '/opt-in',
    theme_id: null,
    markup: '',
    seo_title: null,
    seo_description: null,
    seo_index: false,
    block_ai_crawler: false,
    block_ai_search: false,
    block_ai_assistant: false,
    head_code: null,
    footer_code: null,
    custom_css: null,
  },
}
const registered: DomainEvent = {
  type: 'ExternalPageRegistered',
  data: { name: 'example.com', description: null, external_url: 'https://example.com/a' },
}
const minted: DomainEvent = { type: 'TokenMinted', data: { token: 'cfp_x' } }
const external = [registered, minted]

const change = (fields: object, sent: readonly string[] = []) => ask('change', { ...fields, sent })

describe('hosted page', () => {
  it('is created with its defaults, and has no token', () => {
    given(pages)
      .when(ask('create', { name: 'Opt in', current_path: '/opt-in' }, { as: 'PageCreated' }), NO_FACTS)
      .then(hosted)
    given(pages, hosted)
      .when(ask('create', { name: 'Opt in', current_path: '/opt-in' }, { as: 'PageCreated' }), NO_FACTS)
      .thenNothing()
  })

  it('has one event for each kind of change', () => {
    given(pages, hosted)
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
    given(pages, hosted)
      .when(change({ name: 'Opt in', description: null, seo_index: false }), NO_FACTS)
      .thenNothing()
  })

  it('stores markup as it is shown, so that what was read can be sent back and changes nothing', () => {
    const sent = "<!-- Hi -->\n<Section BG='#fff'><row><column><image src=a.png></image></column></row></Section>"
    const markup = '<section bg="#fff"><row><column><image src="a.png"/></column></row></section>'
    const published: DomainEvent = { type: 'MarkupPublished', data: { markup } }
    given(pages, hosted)
      .when(change({ markup: sent }), NO_FACTS)
      .then(published)
    for (const same of [sent, markup, `\n${markup} `])
      given(pages, hosted, published)
        .when(change({ markup: same }), NO_FACTS)
        .thenNothing()
    // Markup from before it was serialized.
    const former: DomainEvent = { type: 'MarkupPublished', data: { markup: sent } }
    for (const same of [sent, markup])
      given(pages, hosted, former)
        .when(change({ markup: same }), NO_FACTS)
        .thenNothing()
  })

  it('is emptied by a comment alone, as by an empty text', () => {
    const published: DomainEvent = { type: 'MarkupPublished', data: { markup: '<headline>Hi</headline>' } }
    for (const markup of ['', ' \n', '<!-- markup unavailable: page tree could not be serialized -->'])
      given(pages, hosted, published)
        .when(change({ markup }), NO_FACTS)
        .then({ type: 'MarkupPublished', data: { markup: '' } })
  })

  it('refuses what only an external page has, and markup that is none', () => {
    given(pages, hosted)
      .when(change({ url: 'https://a.example' }, ['external_url']), NO_FACTS)
      .refuses('invalid', 'The following fields are not valid for internal pages: external_url.')
    given(pages, hosted)
      .when(change({ name: 'New', markup: '<foo/>' }), NO_FACTS)
      .refuses('malformed', /^Markup is not valid PML: unknown top-level element\(s\) <foo>\./)
    given(pages, hosted)
      .when(change({ head_code: 'x', head_code_mode: 'after' }), NO_FACTS)
      .refuses('malformed', "Invalid code mode 'after'. Must be 'append' or 'replace'.")
  })

  it('is deleted once, unless a theme needs it', () => {
    const remove = ask('remove')
    const deleted: DomainEvent = { type: 'PageDeleted', data: {} }
    given(pages, hosted).when(remove, NO_FACTS).then(deleted)
    given(pages, hosted, deleted)
      .when(remove, NO_FACTS)
      .refuses('notFound', /missing/)
    given(pages, hosted)
      .when(remove, { isRequired: true, isSpelledOtherwise: false })
      .refuses('invalid', 'This page is required by the theme and cannot be deleted.')
  })
})

describe('external page', () => {
  const register = (fields: object) =>
    ask('create', { ...fields, external: true, token: 'cfp_x' }, { as: 'ExternalPageRegistered' })

  it('is registered with a token, and named after its host', () => {
    given(pages)
      .when(register({ url: 'https://example.com/a' }), NO_FACTS)
      .then(registered, minted)
    for (const missing of [{}, { url: '' }, { url: null }]) {
      given(pages).when(register(missing), NO_FACTS).refuses('invalid', 'external_url is required for external pages.')
    }
  })

  it('keeps its token when it moves', () => {
    const moved: DomainEvent = {
      type: 'ExternalUrlMoved',
      data: { external_url: 'https://other.example/a', former_url: 'https://example.com/a' },
    }
    given(pages, ...external)
      .when(change({ url: 'https://other.example/a' }), NO_FACTS)
      .then(moved)
    given(pages, ...external)
      .when(change({ url: 'https://EXAMPLE.com/a' }), NO_FACTS)
      .thenNothing()
    const metadata = { at: AT, actor: 'a', $correlationId: 'c', $causationId: 'c', workspace_id: WORKSPACE }
    const happened = [...external, moved].map((event, revision) => ({ ...event, metadata, stream: 'page-1', revision }))
    const state = pages.fold(pages.initial, happened)
    expect(state.documents.page?.get(1)?.token).to.equal('cfp_x')
    expect(pages.claims(state).map(({ scope, value }) => [scope, value])).to.deep.equal([
      [`page.external_url:${WORKSPACE}`, 'https://other.example/a'],
    ])
  })

  it('refuses what only a hosted page has', () => {
    given(pages, ...external)
      .when(change({ markup: '' }, ['markup', 'theme_id']), NO_FACTS)
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
