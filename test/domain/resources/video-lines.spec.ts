import { expect } from 'chai'
import { type HtmlVisitor, MOST_CHARACTERS } from '../../../domain/resources/html/read.ts'
import { VideoLines } from '../../../domain/resources/html/video-lines.ts'

describe('lines that may be the address of a video', () => {
  const reading = () => {
    const seen = { texts: 0, ends: 0, videos: 0 }
    const visitor: HtmlVisitor = {
      text: () => void seen.texts++,
      mention: () => undefined,
      video: () => void seen.videos++,
      open: () => undefined,
      close: () => void seen.ends++,
    }
    return { lines: new VideoLines(visitor, () => true), seen }
  }
  const NONE = new Map<string, string>()

  it('a long line is handed over as it is read, not all at once at its end', () => {
    const { lines, seen } = reading()
    lines.open('p', NONE)
    for (let read = 1; read <= 10_000; read++) {
      lines.text('x')
      expect(read - seen.texts).to.be.at.most(MOST_CHARACTERS)
    }
    lines.end()
    expect(seen).to.deep.equal({ texts: 10_000, ends: 0, videos: 0 })
  })

  it('ends of links without number are handed over too', () => {
    const { lines, seen } = reading()
    lines.open('p', NONE)
    lines.open('a', NONE)
    for (let read = 1; read <= 10_000; read++) lines.close('a')
    expect(seen.ends).to.be.above(10_000 - MOST_CHARACTERS)
  })

  it('an address of usual length is a video', () => {
    const { lines, seen } = reading()
    lines.open('p', NONE)
    for (const part of ['https://a.example/', 'v?a=1', '&', 'b=2']) lines.text(part)
    lines.close('p')
    expect(seen).to.deep.equal({ texts: 0, ends: 1, videos: 1 })
  })
})
