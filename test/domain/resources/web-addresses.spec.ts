import { expect } from 'chai'
import { families } from '../../../domain/index.ts'
import { ids } from '../../support/projection.ts'

/** Content whose members follow what its authors write. */
const CONTENT = ['community', 'communities/', 'course', 'courses/', 'blog', 'blogs/']
const isContent = (name: string) =>
  CONTENT.some((begin) => name === begin || (begin.endsWith('/') && name.startsWith(begin)))

const addresses = families
  .flatMap(({ resources }) => resources)
  .filter(({ name }) => isContent(name))
  .flatMap(({ name, aggregate: { model } }) =>
    [model, ...Object.values(model.children).map((child) => child.model)]
      .filter((one) => one.name === name)
      .flatMap(({ attributes }) => Object.entries(attributes))
      .flatMap(([field, attribute]) =>
        attribute.role === 'sent' && /(?:^|_)url$/.test(field) ? [{ name: `${name} ${field}`, attribute }] : [],
      ),
  )

const BAD = [
  'javascript:xss()',
  'JavaScript:xss()',
  ' \u0001javascript:xss()',
  'java\tscript:xss()',
  'javascript://a.test/%0axss()',
  'data:text/html,<script>xss()</script>',
  'vbscript:xss()',
  'blob:https://a.test/b',
  'file:///etc/passwd',
  'ftp://a.test/',
  '//a.test/',
  '/a',
  'a.test',
  'https:',
  'https://',
  'https:a.test',
  'http:\\\\a.test',
  'https://a.test\n/b',
  'https://a b.test/',
]

describe('addresses that authors set', () => {
  it('15 68: are known', () => {
    expect(addresses.map(({ name }) => name)).to.include.members([
      'course upgrade_url',
      'course unauthorized_redirect_url',
      'courses/section upgrade_url',
      'community upgrade_url',
      'communities/space_group upgrade_url',
      'communities/space upgrade_url',
      'communities/spaces/posts/video_embed url',
    ])
  })

  for (const { name, attribute } of addresses)
    it(`15 68: are http or https: ${name}`, () => {
      for (const value of BAD)
        expect(attribute.parse(value, { ids }), JSON.stringify(value)).to.have.property('problem')
      for (const value of ['https://a.test/b?c=d#e', 'HTTP://A.test'])
        expect(attribute.parse(value, { ids }), value).to.have.property('value')
    })
})
