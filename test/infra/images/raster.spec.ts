import { crc32 } from 'node:zlib'
import { expect } from 'chai'
import sharp from 'sharp'
import { NotAnImage } from '../../../infra/images/raster/format.ts'
import { rasterIn } from '../../../infra/images/raster/raster.ts'

const SECRET = 'GPS 48.85 N 2.35 E, taken by Ada'
const ORIENTATION = 6

/** A picture with two halves, so that turning it shows. */
const picture = () =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: '#fff' } }).composite([
    { input: { create: { width: 20, height: 20, channels: 3, background: '#f00' } }, left: 0, top: 0 },
  ])

/** The same with everything that cameras and programs add. */
const withMetadata = () =>
  picture()
    .withExif({
      IFD0: { Copyright: SECRET, ImageDescription: SECRET },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 0/1' },
    })
    .withMetadata({ orientation: ORIENTATION })
    .withXmp(`<?xpacket begin="" id="x"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- ${SECRET} --></x:xmpmeta>`)

const be = (value: number, bytes: 2 | 4): Buffer => {
  const made = Buffer.alloc(bytes)
  made.writeUIntBE(value, 0, bytes)
  return made
}

const segment = (marker: number, data: string | Buffer): Buffer => {
  const bytes = Buffer.from(data as string, 'latin1')
  return Buffer.concat([Buffer.from([0xff, marker]), be(bytes.length + 2, 2), bytes])
}

const chunk = (type: string, data: string): Buffer => {
  const named = Buffer.from(type + data, 'latin1')
  return Buffer.concat([be(data.length, 4), named, be(crc32(named), 4)])
}

/** Puts pieces behind the beginning of a file. */
const inserted = (content: Buffer, at: number, ...pieces: readonly Buffer[]): Buffer =>
  Buffer.concat([content.subarray(0, at), ...pieces, content.subarray(at)])

const icon = (pictures: readonly Buffer[]): Buffer => {
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(pictures.length, 4)
  let at = head.length
  for (const [index, { length }] of pictures.entries()) {
    head.writeUInt32LE(length, 6 + 16 * index + 8)
    head.writeUInt32LE(at, 6 + 16 * index + 12)
    at += length
  }
  return Buffer.concat([head, ...pictures])
}

const cleaned = (content: Buffer): Buffer => rasterIn(content)!.content
const pixels = (content: Buffer): Promise<Buffer> => sharp(content).raw().toBuffer()

describe('pictures as they are stored', () => {
  for (const type of ['jpeg', 'png', 'webp'] as const) {
    it(`have no metadata but their orientation: ${type}`, async () => {
      const content = await withMetadata().toFormat(type).toBuffer()
      expect(content.includes(SECRET)).to.equal(true)
      const kept = cleaned(content)
      expect(kept.includes(SECRET)).to.equal(false)
      const { exif, xmp, orientation, iptc } = await sharp(kept).metadata()
      expect({ xmp, iptc, orientation }).to.deep.equal({ xmp: undefined, iptc: undefined, orientation: ORIENTATION })
      expect(exif!.length).to.be.below(40)
      expect((await pixels(kept)).equals(await pixels(content))).to.equal(true)
      expect(cleaned(kept)).to.equal(kept)
    })

    it(`stay the same bytes when they have none: ${type}`, async () => {
      const content = await picture().toFormat(type).toBuffer()
      expect(cleaned(content)).to.equal(content)
    })

    it(`keep their colours: ${type}`, async () => {
      const content = await picture().withIccProfile('p3').toFormat(type).toBuffer()
      expect((await sharp(cleaned(content)).metadata()).icc?.length).to.be.above(100)
    })
  }

  it('have no comments, thumbnails, notes of programs, or further pictures: jpeg', async () => {
    const content = await picture().jpeg({ progressive: true }).toBuffer()
    const jfif = segment(
      0xe0,
      Buffer.concat([Buffer.from('JFIF\0\x01\x02\0\0\x01\0\x01\x01\x01', 'latin1'), Buffer.from('abc')]),
    )
    const added = [
      jfif,
      segment(0xfe, SECRET),
      segment(0xed, SECRET),
      segment(0xe0, `JFXX\0${SECRET}`),
      segment(0xe2, `MPF\0${SECRET}`),
    ]
    const second = await withMetadata().jpeg().toBuffer()
    const whole = Buffer.concat([inserted(content, 2, ...added), second, Buffer.alloc(9)])
    const kept = cleaned(whole)
    expect(kept.includes(SECRET)).to.equal(false)
    expect(kept.includes('abc')).to.equal(false)
    expect(kept.length).to.be.below(content.length + 40)
    expect((await pixels(kept)).equals(await pixels(content))).to.equal(true)
  })

  it('have no texts: png, alone and in an icon', async () => {
    const content = await picture().png().toBuffer()
    const added = inserted(
      content,
      33,
      chunk('tEXt', `Author\0${SECRET}`),
      chunk('prVt', SECRET),
      chunk('tIME', '1234567'),
    )
    expect(cleaned(added).equals(content)).to.equal(true)
    expect(cleaned(icon([added, content])).equals(icon([content, content]))).to.equal(true)
  })

  it('have no comments, and go on being repeated: gif', async () => {
    const content = await picture().gif({ loop: 3 }).toBuffer()
    const behindHead = 13 + 3 * 2 ** ((content[10]! & 7) + 1) * (content[10]! >> 7)
    const comment = Buffer.concat([Buffer.from([0x21, 0xfe, SECRET.length]), Buffer.from(SECRET), Buffer.from([0])])
    const xmp = Buffer.concat([Buffer.from([0x21, 0xff, 11]), Buffer.from('XMP DataXMP'), Buffer.from([3, 1, 2, 3, 0])])
    expect(cleaned(inserted(content, behindHead, comment, xmp)).equals(content)).to.equal(true)
  })

  it('are refused when an icon shows one picture again and again', async () => {
    const one = await picture().png().toBuffer()
    const head = Buffer.alloc(6 + 16 * 5000)
    head.writeUInt16LE(1, 2)
    head.writeUInt16LE(5000, 4)
    for (let index = 0; index < 5000; index++) {
      head.writeUInt32LE(one.length, 6 + 16 * index + 8)
      head.writeUInt32LE(head.length, 6 + 16 * index + 12)
    }
    expect(() => rasterIn(Buffer.concat([head, one]))).to.throw(NotAnImage, /not a whole image/)
  })

  it('are refused, or read, wherever they are cut off or damaged', async () => {
    for (const type of ['jpeg', 'png', 'webp', 'gif'] as const) {
      const content = await (type === 'gif' ? picture() : withMetadata()).toFormat(type).toBuffer()
      for (let at = 12; at < content.length; at++) {
        expect(() => rasterIn(content.subarray(0, at)), `${type} cut at ${at}`).to.throw(NotAnImage)
        const damaged = Buffer.from(content)
        damaged[at]! ^= 0xff
        try {
          rasterIn(damaged)
        } catch (error) {
          expect(error, `${type} damaged at ${at}`).to.be.instanceOf(NotAnImage)
        }
      }
    }
  })
})
