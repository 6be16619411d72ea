import { expect } from 'chai'
import { type ImageDecoding, imageDecoding } from '../../../infra/images/decoding.ts'
import { hungryJpeg, slowDrawing } from '../../support/expensive-images.ts'
import { square } from '../../support/servers/image-server.ts'

/** Long enough for a process to start on a busy machine. */
const LIMIT_MS = 5000
const PICTURES = 2
const small = async () => ({
  ...{ content: await square(20).png().toBuffer(), type: 'image/png' },
  ...{ width: 9, height: 9, format: 'png' as const },
})
const slow = async () => ({ ...(await small()), content: slowDrawing(), type: 'image/svg+xml' })

describe('decoding', () => {
  let decoding: ImageDecoding
  before(() => {
    decoding = imageDecoding(LIMIT_MS)
  })
  after(() => decoding.close())

  it('lets the pictures of one workspace hold up no other', async () => {
    await decoding.resize(2, small)
    const begun = performance.now()
    const theirs = Array.from({ length: PICTURES }, () => decoding.resize(1, slow))
    const ours = await Promise.all(Array.from({ length: 4 }, () => decoding.resize(2, small)))
    expect(ours.map((made) => made?.type)).to.deep.equal(Array(4).fill('image/png'))
    const waited = performance.now() - begun
    expect(await Promise.all(theirs)).to.deep.equal(Array(PICTURES).fill(undefined))
    // One of theirs is stopped after another, whereas ours have had the second process to themselves.
    expect(performance.now() - begun).to.be.above(PICTURES * LIMIT_MS)
    expect(waited).to.be.below(2 * LIMIT_MS)
  })

  it('takes a picture that is too large to be scaled, and says so', async () => {
    const content = await hungryJpeg()
    const image = await decoding.clean(1, content)
    expect(image).to.include({ type: 'image/jpeg', unscaled: false })
    if (typeof image !== 'string') expect(await decoding.check(1, image)).to.equal(false)
  })

  it('takes a drawing that takes too long, and says so', async () => {
    const image = await decoding.clean(1, slowDrawing())
    if (typeof image === 'string') throw new Error(image)
    expect(await decoding.check(1, image)).to.equal(false)
  })

  it('takes a drawing that its decoder does not draw, and says so', async () => {
    const uses = Array.from({ length: 9 }, (_, n) => `<g id="u${n + 1}">${`<use href="#u${n}"/>`.repeat(10)}</g>`)
    const image = await decoding.clean(
      1,
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${uses.join('')}<use href="#u9"/></svg>`,
      ),
    )
    if (typeof image === 'string') throw new Error(image)
    expect(await decoding.check(1, image)).to.equal(false)
  })

  it('refuses what its process cannot even read', async () => {
    const many = Buffer.alloc(12 * 800_000 + 100, Buffer.from([0, 0, 0, 0, 0x49, 0x44, 0x41, 0x54, 0, 0, 0, 0]))
    const head = (await square(4).png().toBuffer()).subarray(0, 33)
    expect(await decoding.clean(1, Buffer.concat([head, many.subarray(0, 9_600_000)]))).to.match(
      /not a whole image|takes too much/,
    )
  })
})
