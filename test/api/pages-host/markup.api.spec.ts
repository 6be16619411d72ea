import { expect } from 'chai'
import { testService } from '../../support/service.ts'
import { createdBody } from '../../support/traffic/funnels.ts'
import { type HostedSite, hostedSite, saying } from './support.ts'

const inColumn = (content: string): string => `<section><row><column>${content}</column></row></section>`

describe('the markup of hosted pages', () => {
  let site: HostedSite
  let count = 0
  before(async () => {
    site = await hostedSite(await testService())
  })
  /** The HTML of a page with this markup and these fields. */
  const html = async (markup: string, fields: object = {}): Promise<string> => (await answer(markup, fields)).text
  const answer = async (markup: string, fields: object = {}) => {
    const path = `/m${++count}`
    await site.standalone(path, { markup, ...fields })
    return site.get(path)
  }

  it('18: escapes what is text, wherever it stands', async () => {
    const evil = '</script><!--<script>alert(1)</script>'
    const product = createdBody(
      await site.tenant.api.post(`/workspaces/${site.tenant.workspaceId}/products`, { product: { name: evil } }),
    )
    const funnel = await site.funnel('Evil')
    const markup = saying('a &amp; b', '<product-name/>')
    const seo_title = '"><img src=x onerror=alert(1)>'
    const fields = { markup, seo_title, show_page_step: { product_ids: [product.id] } }
    const { url } = await site.step(funnel.id, '/evil', fields)
    const { text, headers } = await site.get(new URL(url).pathname)
    expect(text).not.to.include('<script>').and.not.to.include('<img src=x')
    expect(text).to.include('&lt;script&gt;').and.to.include('a &amp;amp; b')
    expect(headers['content-security-policy']).to.match(/script-src 'self' http:\/\/\S+;/)
  })

  it('18: lets custom CSS not end its element', async () => {
    const text = await html(saying('Red'), { custom_css: 'a{}</STYLE ><script>alert(1)</script>' })
    expect(text).not.to.match(/<\/style\s*><script>alert/i)
    expect(text.match(/<\/style/gi)).to.have.length(2)
  })

  it('19: refuses addresses that run something', async () => {
    const { api, workspaceId } = site.tenant
    const bad = [
      'javascript:alert(1)',
      ' JaVaScRiPt:alert(1)',
      'java\tscript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:x',
    ]
    for (const address of bad) {
      for (const element of [
        `<button href="${address}">x</button>`,
        `<link href="${address}">x</link>`,
        `<image src="${address}"/>`,
        `<video src="${address}"/>`,
      ]) {
        const page = await api.post(`/workspaces/${workspaceId}/pages`, {
          page: { name: 'X', markup: inColumn(element) },
        })
        expect([element, page.status]).to.deep.equal([element, 400])
        expect(page.body.error).to.include('must be a web address or a path')
      }
    }
    for (const address of [
      'https://example.com/a?b#c',
      '/path',
      '#id',
      'mailto:a@example.com',
      'tel:+1',
      'page?x=a:b',
      './x',
    ])
      await html(inColumn(`<button href="${address}">x</button>`))
  })

  it('19: decides by the host of an address whose player shows a video', async () => {
    for (const address of [
      'https://evil.example/?youtube.com',
      'https://youtube.com.evil.example/watch?v=abc',
      'https://evil.example/vimeo.com/1',
    ])
      expect(await html(inColumn(`<video src="${address}"/>`)))
        .to.include('<video')
        .and.not.to.include('<iframe')
    const text = await html(inColumn('<video src="https://www.youtube.com/watch?v=dQw4w9WgXcQ"/>'))
    expect(text)
      .to.include('href="https://www.youtube.com/watch?v=dQw4w9WgXcQ"')
      .and.to.include('Watch the video on YouTube')
    expect(text).not.to.include('<iframe')
  })

  it('22: ends a countdown at one instant, whatever clocks do in that hour', async () => {
    const until = async (attributes: string) =>
      /data-mr-until="([^"]+)"/.exec(await html(inColumn(`<countdown ${attributes}/>`)))?.[1]
    expect(await until('timezone="Europe/Berlin" date="2026-03-29" time="02:30:00"')).to.equal('2026-03-29T01:30:00Z')
    expect(await until('timezone="Europe/Berlin" date="2026-10-25" time="02:30:00"')).to.equal('2026-10-25T00:30:00Z')
    expect(await until('date="2026-10-25" time="02:30:00"')).to.equal('2026-10-25T02:30:00Z')
    expect(await until('timezone="Nowhere" date="2026-10-25"')).to.equal(undefined)
    expect(await until('timezone="Europe/Berlin" date="2026-02-30"')).to.equal(undefined)
    expect(await html(inColumn('<countdown type="evergreen" time="00:15:00"/>'))).to.include('data-mr-seconds="900"')
  })

  it('13b 22: means a countdown without a zone in that of the workspace', async () => {
    const other = await hostedSite(site.service, await site.service.tenant())
    const { api, workspaceId } = other.tenant
    const { id } = await other.standalone('/ends', {
      markup: inColumn('<countdown date="2026-03-29" time="02:30:00"/>'),
    })
    const until = async () => /data-mr-until="([^"]+)"/.exec((await other.get('/ends')).text)![1]
    expect(await until()).to.equal('2026-03-29T02:30:00Z')
    createdBody(await api.put(`/workspaces/${workspaceId}`, { workspace: { time_zone: 'Berlin' } }))
    expect(await until()).to.equal('2026-03-29T01:30:00Z')
    const markup = inColumn('<countdown date="2026-03-29" time="02:30:00" timezone="America/New_York"/>')
    createdBody(await api.put(`/pages/${id}`, { page: { markup } }))
    expect(await until()).to.equal('2026-03-29T06:30:00Z')
  })

  it('makes one form of all inputs and of the buttons without an address', async () => {
    const text = await html(
      `<section><row cols="2"><column><input type="email" label="Mail" required="true"/><input type="text" name="color" placeholder="Color"/></column><column><button>Go</button><button href="/x">Away</button></column></row></section>`,
    )
    expect(text.match(/<form/g)).to.have.length(1)
    const form = /<form[^>]*>(.*)<\/form>/.exec(text)![1]!
    expect(form).to.include('data-cf-element="email"').and.to.include('data-cf-element="custom-attribute:color"')
    expect(form).to.match(/<button class="button" type="submit">Go<\/button>/)
    expect(form).to.match(
      /<label for="mr-1">Mail<\/label><input data-cf-element="email" id="mr-1" type="email" autocomplete="email" required/,
    )
    expect(form).not.to.match(/<input[^>]* name=/)
    expect(text).to.include('<a class="button" href="/x">Away</a>')
  })

  it('keeps forms out of forms', async () => {
    const own = '<customhtml><form><input></form></customhtml>'
    const text = await html(inColumn(`<input type="email"/><button>Go</button>${own}<button>Other</button>`))
    expect(text.match(/<form/g)).to.have.length(2)
    expect(text.indexOf('</form>')).to.be.below(text.lastIndexOf('<form'))
  })

  it('24: lets nobody put a page that sells into a frame', async () => {
    const policy = async (markup: string, fields?: object) =>
      (await answer(markup, fields)).headers['content-security-policy']
    expect(await policy(inColumn('<checkout/>'))).to.include("frame-ancestors 'self'")
    expect(
      await policy(inColumn('<customhtml><button data-cf-element="oto-accept" value="a|b">Yes</button></customhtml>')),
    ).to.include("frame-ancestors 'self'")
    expect(await policy(saying('Nothing'))).not.to.include('frame-ancestors')
  })

  it('13b 24: lets those put a page that sells into a frame whom the workspace names', async () => {
    const other = await hostedSite(site.service, await site.service.tenant())
    const { api, workspaceId } = other.tenant
    await other.standalone('/sells', { markup: inColumn('<checkout/>') })
    const ancestors = async () =>
      /frame-ancestors [^;]*/.exec((await other.get('/sells')).headers['content-security-policy'] as string)![0]
    expect(await ancestors()).to.equal("frame-ancestors 'self'")
    const put = (frame_ancestors: unknown) => api.put(`/workspaces/${workspaceId}/site`, { site: { frame_ancestors } })
    const named = ['https://partner.example', 'http://localhost:3000']
    expect(createdBody(await put(named)).frame_ancestors).to.deep.equal(named)
    expect(await ancestors()).to.equal(`frame-ancestors 'self' ${named.join(' ')}`)
    for (const origin of [
      '*',
      "'none'",
      'https://a.example/path',
      'https://a.example; script-src *',
      'a.example',
      '',
    ]) {
      const { status, body } = await put([origin])
      expect([origin, status, body.details[0].field]).to.deep.equal([origin, 422, 'site.frame_ancestors'])
    }
    expect(createdBody(await put([])).frame_ancestors).to.deep.equal([])
    expect(await ancestors()).to.equal("frame-ancestors 'self'")
  })

  it('has its code in order: site, funnel, page', async () => {
    const funnel = await site.funnel('Code')
    const { api, workspaceId } = site.tenant
    createdBody(
      await api.put(`/workspaces/${workspaceId}/site`, { site: { head_code: '<!--S-->', footer_code: '<!--s-->' } }),
    )
    createdBody(await api.put(`/funnels/${funnel.id}`, { funnel: { head_code: '<!--F-->', footer_code: '<!--f-->' } }))
    const { url } = await site.step(funnel.id, '/code', {
      markup: saying('Code'),
      head_code: '<!--P-->',
      footer_code: '<!--p-->',
    })
    const { text } = await site.get(new URL(url).pathname)
    expect(text).to.match(/<!--S-->\s*<!--F-->\s*<!--P--><\/head>.*<!--s-->\s*<!--f-->\s*<!--p--><\/body><\/html>$/s)
    createdBody(await api.put(`/workspaces/${workspaceId}/site`, { site: { head_code: null, footer_code: null } }))
  })

  it('names itself to the SDK, and answers of the API say nothing of it', async () => {
    const text = await html(saying('Token'))
    expect(text).to.match(/<meta name="cf-page-token" content="cfp_[A-Za-z0-9]{24}">/)
    expect(text).to.match(/<script src="http:\/\/[\w.]+:\d+\/sdk\.js" defer><\/script>/)
    const { id, sdk } = createdBody(
      await site.tenant.api.post(`/workspaces/${site.tenant.workspaceId}/pages`, { page: { name: 'X' } }),
    )
    expect(sdk).to.equal(null)
    expect(createdBody(await site.tenant.api.get(`/pages/${id}`)).sdk).to.equal(null)
  })

  it('is a document of its author where it consists of one', async () => {
    const own = '<!DOCTYPE html><html lang="de"><head><title>Mine</title></head><body><p>Hallo</p></body></html>'
    const text = await html(inColumn(`<customhtml>${own}</customhtml>`), { footer_code: '<i>foot</i>' })
    expect(text).to.match(/^<!DOCTYPE html><html lang="de"><head><title>Mine<\/title><meta name="cf-page-token"/)
    expect(text).to.match(/<p>Hallo<\/p><i>foot<\/i><\/body><\/html>$/)
  })

  it('serve a custom HTML page as it was written, as a step that the SDK knows and nobody else may frame', async () => {
    const own =
      '<!doctype html>\n<html lang="en"><head><title>Offer</title></head><body><button data-cf-element="oto-accept" value="v|p">Yes &amp; now</button></body></html>'
    const funnel = await site.funnel('Custom')
    const step = await site.step(funnel.id, '/custom', { markup: `<customhtml>${own}</customhtml>`, seo_index: false })
    const { status, text, headers } = await site.get(new URL(step.url).pathname)
    expect([status, headers['x-robots-tag']]).to.deep.equal([200, 'noindex'])
    expect(headers['content-security-policy']).to.equal("object-src 'none'; base-uri 'self'; frame-ancestors 'self'")
    const tags = /<meta name="cf-page-token" content="(cfp_\w{24})"><script src="[^"]+\/sdk\.js" defer><\/script>/.exec(
      text,
    )!
    expect(text.replace(tags[0], '')).to.equal(own)
    const { origin } = new URL(step.url)
    const query = new URLSearchParams({ sdk_page_token: tags[1]!, url: step.url })
    const init = await fetch(`${site.service.sdkUrl}/init?${query}`, { headers: { origin } })
    expect(await init.json()).to.include({ ok: true, in_funnel: true, mode: 'test' })
    const changed = own.replace('Offer', 'Other')
    createdBody(
      await site.tenant.api.put(`/pages/${step.id}`, { page: { markup: `<customhtml>${changed}</customhtml>` } }),
    )
    expect((await site.get(new URL(step.url).pathname)).text.replace(tags[0], '')).to.equal(changed)
  })
})
