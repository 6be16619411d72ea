import { expect } from 'chai'
import { WHY_NOT } from '../support/chromium.ts'
import { eventually, until } from '../support/eventually.ts'
import { openBareChromium } from './support/bare-chromium.ts'
import { OPT_IN, OTHER, pause, TOKEN, useBrowsing, type Visitor } from './support/visitor.ts'

describe(`SDK in Chromium: what is counted${WHY_NOT ? ` (skipped: ${WHY_NOT})` : ''}`, () => {
  const browsing = useBrowsing()

  const visits = () => browsing.sdk.asked('/visits')
  const views = () => visits().map(({ visit }) => visit)
  const arrived = (count: number) => until(() => visits().length === count, `${count} visits`)
  const addressOf = (path: string) => `http://shop.test:${browsing.sdk.port}/${path}`
  const setToken = ({ page }: Pick<Visitor, 'page'>, token: string) =>
    page.evaluate(`document.querySelector('meta[name=cf-page-token]').content = '${token}'`)

  it('13b 37: the ticket is gone before the load event, and neither server, referrer nor visit has it', async () => {
    const { sdk, write, visit } = browsing
    const head = '<script>addEventListener("load", () => { window.atLoad = location.href })</script>'
    const body = `${OPT_IN}<img src="/picture.png" alt=""><a href="http://other.test:${sdk.port}/">On</a>`
    write('shop.test/', { head, body, policy: '' })
    write('other.test/', { policy: '' })
    const { page, open, errors } = await visit()
    await open('shop.test/?utm_source=x#part&cf_ticket=t1cket')
    await arrived(1)
    expect(await page.evaluate('[atLoad, location.href]')).to.deep.equal(Array(2).fill(addressOf('?utm_source=x#part')))
    expect(visits()[0]).to.include({ url: addressOf(''), session: 'traded-t1cket' })
    expect(views()[0]).to.include({ search: '?utm_source=x', referrer: '' })
    await page.click('a')
    await arrived(2)
    const elsewhere = sdk.requests.filter(({ address }) => !address.endsWith('/trade'))
    expect(elsewhere.map(({ address }) => address)).to.include.members([
      `shop.test:${sdk.port}/?utm_source=x`,
      `shop.test:${sdk.port}/picture.png`,
    ])
    expect(JSON.stringify(sdk.requests)).not.to.match(/t1cket|cf_ticket/)
    expect(await page.evaluate('document.referrer')).to.equal(addressOf(''))
    expect(errors).to.deep.equal([])
  })

  it('13b 40: two tabs and a duplicated one count their views each for itself, without a gap', async () => {
    const { write, visit } = browsing
    write('shop.test/', { policy: '' })
    const { context, page, open } = await visit()
    await open('shop.test/')
    await arrived(1)
    await page.evaluate('sessionStorage.setItem("of the page", "1")')
    // A window that is opened by a page begins with a copy of its storage, as a duplicated tab does.
    const [copy] = await Promise.all([context.waitForEvent('page'), page.evaluate('void window.open(location.href)')])
    await arrived(2)
    expect(await copy.evaluate('sessionStorage.getItem("of the page")')).to.equal('1')
    const own = await context.newPage()
    await own.goto(addressOf(''))
    await arrived(3)
    const tabs = [page, copy, own]
    for (let turn = 0; turn < 6; turn++) {
      await setToken({ page: tabs[turn % 3]! }, turn < 3 ? OTHER : TOKEN)
      await arrived(4 + turn)
    }
    const loads = new Set(views().map(({ load }) => load))
    const numbers = [...loads].map((load) => views().flatMap((view) => (view.load === load ? view.number : [])))
    expect(numbers).to.deep.equal(Array(3).fill([1, 2, 3]))
    expect(new Set(views().map(({ id }) => id)).size).to.equal(9)
    expect(new Set(visits().map(({ visitor }) => visitor)).size).to.equal(1)
  })

  it('13b 43: a prerendered page counts and trades nothing until it is shown, and then once', async () => {
    const { sdk, write } = browsing
    const said = () => sdk.asked('/said')
    sdk.answer('/said', () => ({ ok: true }))
    sdk.answer('/time', ({ body }) => ({ isTime: body === 'first' ? said().length === 2 : visits().length === 1 }))
    /** Goes on to a page when the server says so. */
    const go = (which: string, path: string) => `
      const turn = setInterval(async () => {
        if (document.prerendering) return
        const { isTime } = await (await fetch('${sdk.url}/time', { method: 'POST', body: '"${which}"' })).json()
        if (isTime) location.href = '${path}'
      }, 100)`
    const head = `<script>
      const say = () => fetch('${sdk.url}/said', { method: 'POST', body: JSON.stringify(location.pathname + document.prerendering) })
      say()
      document.addEventListener('prerenderingchange', say)
      if (location.pathname === '/shown') { ${go('second', '/plain')} }
    </script>`
    const pages = ['/shown', '/never#cf_ticket=never']
    const rules = JSON.stringify({ prerender: [{ source: 'list', urls: pages, eagerness: 'immediate' }] })
    const body = `<script type="speculationrules">${rules}</script><script>${go('first', '/shown')}</script>`
    write('shop.test/', { token: '', script: '', policy: '', body })
    for (const path of ['shown', 'never']) write(`shop.test/${path}`, { policy: '', head })
    write('shop.test/plain', { policy: '' })
    const close = await openBareChromium(addressOf(''))
    try {
      await eventually(async () => expect(visits()).to.have.length(2))
      expect(said().slice(0, 2)).to.have.members(['/showntrue', '/nevertrue'])
      expect(said().slice(2)).to.deep.equal(['/shownfalse'])
      const order = sdk.calls.map(({ path }) => path).filter((path) => !['/time', '/prefill'].includes(path))
      expect(order).to.deep.equal(['/said', '/said', '/said', '/init', '/visits', '/init', '/visits'])
      expect(visits().map(({ url }) => url)).to.deep.equal(['shown', 'plain'].map(addressOf))
    } finally {
      await close()
    }
  })

  it('13b 43: a page from the memory of the browser is one more view of the same session', async () => {
    const { write, visit } = browsing
    write('shop.test/', { policy: '' })
    write('shop.test/away', { token: '', script: '', policy: '' })
    const { page, open } = await visit()
    await open('shop.test/')
    await arrived(1)
    await page.evaluate('window.isSame = true')
    await open('shop.test/away')
    await page.goBack({ waitUntil: 'commit' })
    await arrived(2)
    expect(await page.evaluate('window.isSame'), 'the browser kept the page').to.equal(true)
    const [first, second] = views()
    expect([second.load, second.number]).to.deep.equal([first.load, 2])
    expect(visits()[1].session).to.equal('secret-1')
  })

  it('13b 44: a single-page app counts one view for each new token, and for nothing else', async () => {
    const { write, visit } = browsing
    write('shop.test/', { policy: '' })
    const visitor = await visit()
    await visitor.open('shop.test/')
    await arrived(1)
    await setToken(visitor, TOKEN)
    await visitor.page.evaluate(`history.replaceState(null, '', '/?step=2'); history.pushState(null, '', '/?step=3')`)
    await visitor.page.evaluate(`location.hash = 'part'; document.title = 'Other'`)
    await pause(300)
    expect(visits()).to.have.length(1)
    for (const [count, token] of [OTHER, TOKEN].entries()) {
      await setToken(visitor, token)
      await arrived(count + 2)
    }
    expect(visits().map(({ token }) => token)).to.deep.equal([TOKEN, OTHER, TOKEN])
    expect(views().map(({ number }) => number)).to.deep.equal([1, 2, 3])
    expect(new Set(views().map(({ id }) => id)).size).to.equal(3)
    expect(visits().slice(1)[0].session).to.equal('secret-1')
  })

  it('13b 48: consent given later on a page begins to be kept, and counts nothing a second time', async () => {
    const { write, visit } = browsing
    write('shop.test/', { head: '<meta name="cf-consent" content="denied">' })
    write('shop.test/next')
    const visitor = await visit()
    await visitor.open('shop.test/')
    await arrived(1)
    expect(visits()[0]).to.include({ consent: false }).and.not.have.property('visitor')
    expect(await visitor.context.cookies()).to.deep.equal([])
    await visitor.page.evaluate(`document.querySelector('meta[name=cf-consent]').content = 'granted'`)
    await until(async () => (await visitor.context.cookies()).length === 1)
    await pause(200)
    expect(visits()).to.have.length(1)
    await visitor.open('shop.test/next')
    await arrived(2)
    expect(visits()[1]).to.include({ consent: true, session: 'secret-1' })
    expect(visits()[1].visitor).to.match(/^[\w-]{22}$/)
  })

  it("13a-23 keeps nothing of the SDK's host, and survives the loss of what other hosts have kept", async () => {
    const { sdk, write, visit } = browsing
    sdk.answer('/prefill', () => ({ ok: true, fields: { email: 'ana@example.test' } }))
    sdk.show('sdk.test/next/signed', {
      html: '<p>Next</p>',
      headers: { Refresh: `0; url=http://pay.test:${sdk.port}/#cf_ticket=t1` },
    })
    write('shop.test/')
    write('pay.test/')
    const { context, page, open } = await visit()
    await open('shop.test/')
    await page.fill('[type=email]', 'ana@example.test')
    await page.click('button')
    await page.waitForURL(`http://pay.test:${sdk.port}/`)
    await arrived(2)
    const hosts = new Set((await context.cookies()).map(({ domain }) => domain))
    expect(hosts).to.deep.equal(new Set(['shop.test', 'pay.test']))
    const { origins } = await context.storageState({ indexedDB: true })
    expect(origins.map(({ origin }) => origin)).not.to.include(sdk.url)
    for (const domain of ['sdk.test', 'shop.test']) await context.clearCookies({ domain })
    await page.goto('about:blank')
    await open('pay.test/')
    await arrived(3)
    expect(visits()[2].session).to.equal('traded-t1')
    await until(async () => (await page.inputValue('[type=email]')) === 'ana@example.test')
  })

  it('loss: of 30 visits that end after 400 ms at least 29 arrive', async () => {
    const { write, visit } = browsing
    write('shop.test/')
    write('shop.test/away', { token: '', script: '' })
    const { context } = await visit()
    for (let turn = 0; turn < 30; turn++) {
      const page = await context.newPage()
      await page.goto(addressOf(''), { waitUntil: 'commit' })
      await pause(400)
      // Some go on, others close the tab.
      if (turn % 2 === 0) await page.goto(addressOf('away'), { waitUntil: 'commit' })
      await page.close()
    }
    await until(() => new Set(views().map(({ id }) => id)).size >= 29, '29 visits')
  }).timeout(90_000)

  it('loss: in a chain of 30 pages of one browser the one that never came is the gap in their numbers', async () => {
    const { write, visit } = browsing
    write('shop.test/', { policy: '' })
    const visitor = await visit()
    let isLost = false
    let failed = 0
    visitor.page.on('requestfailed', () => failed++)
    await visitor.context.route('**/visits', (route) => (isLost ? route.abort() : route.continue()))
    await visitor.open('shop.test/')
    await arrived(1)
    for (let number = 2; number <= 30; number++) {
      isLost = number === 17
      await setToken(visitor, number % 2 === 0 ? OTHER : TOKEN)
      // A call that fails is made once more.
      if (isLost) await until(() => failed === 2, 'two failures')
      else await arrived(number < 17 ? number : number - 1)
    }
    const expected = Array.from({ length: 30 }, (_, index) => index + 1).filter((number) => number !== 17)
    expect(views().map(({ number }) => number)).to.deep.equal(expected)
    expect(new Set(views().map(({ load }) => load)).size).to.equal(1)
  }).timeout(60_000)
  it('loss: in a chain of 30 page loads of one tab the next one names the one that never came', async () => {
    const { write, visit } = browsing
    write('shop.test/', { policy: '' })
    const visitor = await visit()
    let isLost = false
    const sent: string[] = []
    await visitor.context.route('**/visits', (route) => {
      const { load, number } = JSON.parse(route.request().postData() ?? '').visit
      sent.push(`${load}.${number}`)
      return isLost ? route.abort() : route.continue()
    })
    for (let load = 1; load <= 30; load++) {
      isLost = load === 17
      await visitor.open(`shop.test/?page=${load}`)
      // A call that fails is made once more.
      if (isLost) await until(() => sent.length === load + 1, 'two calls')
      else await arrived(load < 17 ? load : load - 1)
    }
    const loads = [...new Set(sent)]
    expect(loads).to.have.length(30)
    expect(views().map(({ load, number, after }) => [`${load}.${number}`, after])).to.deep.equal(
      loads.map((load, index) => [load, loads[index - 1] ?? null]).filter((_, index) => index !== 16),
    )
  }).timeout(60_000)

  it('names no view before it while the visitor has not consented', async () => {
    const { write, visit } = browsing
    write('shop.test/', { head: '<meta name="cf-consent" content="denied">' })
    const visitor = await visit()
    for (const load of [1, 2]) {
      await visitor.open('shop.test/')
      await arrived(load)
    }
    expect(views().map(({ after }) => after)).to.deep.equal([null, null])
    expect(await visitor.page.evaluate('sessionStorage.length')).to.equal(0)
  })
})
