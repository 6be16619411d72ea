import { Readable } from 'node:stream'
import { expect } from 'chai'
import { Html, html } from '../../../api/html/html.ts'
import { answerDocument } from '../../../api/html/page.ts'
import type { ApiContext } from '../../../api/http/context.ts'
import { spelled } from '../../../api/http/spelled.ts'

const HEADERS = { 'Content-Security-Policy': '', 'Referrer-Policy': 'no-referrer', Vary: 'Cookie' } as const

const answered = (document: Html): unknown => {
  const ctx = { set() {}, status: 0, body: undefined as unknown }
  answerDocument(ctx as unknown as ApiContext, 200, document, HEADERS)
  return ctx.body
}

const LONG_TEXT = 'x😀'.repeat(1_000_000)

describe('long documents', () => {
  it('are sent piece by piece, and short ones as they are', async () => {
    expect(answered(html`<p>${'a'}</p>`)).to.equal('<p>a</p>')
    const body = answered(html`<p>${new Html(LONG_TEXT)}</p>`)
    expect(body).to.be.instanceOf(Readable)
    const pieces = await (body as Readable).toArray()
    expect(pieces).to.have.length.above(10)
    expect(Buffer.concat(pieces).toString() === `<p>${LONG_TEXT}</p>`).to.equal(true)
  })

  it('are put together as they would be at once', async () => {
    const { bytes, digest } = await spelled(['<', LONG_TEXT, '>'])
    expect(bytes.toString() === `<${LONG_TEXT}>`).to.equal(true)
    expect(digest).to.equal((await spelled([`<${LONG_TEXT}>`])).digest)
  })
})
