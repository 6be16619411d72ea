import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { WHY_NOT } from '../support/chromium.ts'
import { until } from '../support/eventually.ts'
import { pause, TOKEN, useBrowsing } from './support/visitor.ts'

const MANUAL = path.join(import.meta.dirname, '../../../docs/sdk.md')

describe(`SDK in Chromium: the page of docs/sdk.md${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  const browsing = useBrowsing()
  let sample: string
  before(async () => {
    sample = /```html\n(.*?)```/s.exec(await readFile(MANUAL, 'utf8'))?.[1] ?? ''
  })

  const show = (sdk: string) => browsing.sdk.show('shop.test/', sample.replace('{sdk}', sdk).replace(/cfp_0+/, TOKEN))

  it('works as it stands', async () => {
    const { sdk, visit } = browsing
    show(sdk.url)
    const { page, open, said, errors } = await visit()
    await open('shop.test/')
    await page.getByLabel('Email').fill('ana@example.test')
    await page.getByLabel('First name').fill('Ana')
    await page.getByRole('button', { name: 'Join' }).click()
    await page.waitForURL('**/next/signed')
    expect(sdk.asked('/submit')[0].data).to.deep.equal([
      ['first-name', 'Ana'],
      ['email', 'ana@example.test'],
      ['custom-attribute:favourite_color', ''],
    ])
    expect(said.map((text) => text.split(' ')[0])).to.deep.equal(['Init', 'Found'])
    expect(errors).to.deep.equal([])
  })

  for (const [what, blocked] of [
    ['the host of the SDK is out of reach', '**/sdk.js'],
    ['init is out of reach', '**/init?*'],
  ] as const) {
    it(`13a-2 writes nothing personal into the address when ${what}`, async () => {
      const { sdk, visit } = browsing
      show(sdk.url)
      const { page, open, errors } = await visit((context) => context.route(blocked, (route) => route.abort()))
      await open('shop.test/')
      await pause(300)
      await page.getByLabel('Email').fill('ana@example.test')
      await page.getByRole('button', { name: 'Join' }).click()
      await until(async () => !page.isClosed())
      await pause(300)
      expect(page.url()).to.not.include('ana')
      expect(errors).to.deep.equal([])
    })
  }

  it('13a-2 gives a form back to the browser that was submitted before init failed, if it posts', async () => {
    const { sdk, write, visit } = browsing
    let submitted = () => {}
    for (const [method, goes] of [
      ['post', true],
      ['get', false],
    ] as const) {
      const body = `<form method="${method}" action="/own"><input name="email" data-cf-element="email"><button>Join</button></form>`
      write('shop.test/', { body, policy: '' })
      write('shop.test/own', { token: '', script: '' })
      const isSubmitted = new Promise<void>((resolve) => {
        submitted = resolve
      })
      sdk.answer('/init', () => isSubmitted.then(() => 'refuse' as const))
      const { page, open } = await visit()
      await open('shop.test/')
      await page.fill('input', 'ana@example.test')
      await page.click('button')
      await until(() => sdk.calls.some((call) => call.path === '/init'))
      submitted()
      await pause(1000)
      expect(page.url()).to.equal(`http://shop.test:${sdk.port}/${goes ? 'own' : ''}`)
    }
  })
})
