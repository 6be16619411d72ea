import { expect } from 'chai'
import { lessonHtml } from '../../../domain/resources/html/lesson-html.ts'
import { safeHtml } from '../../../domain/resources/html/safe-html.ts'
import { plainTextInSlices } from '../../../domain/resources/plain-text.ts'
import { markdownRenderer } from '../../../infra/markdown/renderer.ts'

/** What slows careless parsers down when it comes again and again. */
const REPEATED = [
  '[](',
  '*_',
  '~',
  '"',
  '[[',
  '>',
  '`',
  '<',
  '&',
  '![',
  '- ',
  '* a\n',
  '|a|\n|-|\n',
  '<b>',
  '</b>',
  '\\',
  'a\n',
  '<a href="',
]
const LENGTH = 1_000_000

/** Counts the turns of the event loop that begin during work, and measures the longest between two of them, in milliseconds of processor time. */
const turnsDuring = async (
  work: () => Promise<unknown>,
): Promise<{ readonly count: number; readonly longestMs: number }> => {
  let isOver = false
  let count = 0
  let longestMs = 0
  const watch = async () => {
    while (!isOver) {
      const before = process.cpuUsage()
      await new Promise((resolve) => setImmediate(resolve))
      const { user, system } = process.cpuUsage(before)
      longestMs = Math.max(longestMs, (user + system) / 1000)
      count++
    }
  }
  const watching = watch()
  await work()
  isOver = true
  await watching
  return { count, longestMs }
}

describe('long texts', () => {
  const render = markdownRenderer()

  for (const piece of REPEATED) {
    for (const [what, of] of [
      ['HTML', safeHtml],
      ['plain text', plainTextInSlices],
    ] as const)
      it(`15 71: ${what} of 1 MB holds others up for less than 50 ms: ${JSON.stringify(piece)}`, async () => {
        const text = piece.repeat(LENGTH / piece.length)
        let least = Number.POSITIVE_INFINITY
        for (let run = 0; run < 3 && least > 50; run++)
          least = Math.min(least, (await turnsDuring(() => of(text))).longestMs)
        expect(least).to.be.lessThan(50)
      })

    it(`15 71: Markdown leaves others their turns: ${JSON.stringify(piece)}`, async () => {
      const { count } = await turnsDuring(() => lessonHtml(piece.repeat(100_000 / piece.length), render))
      expect(count).to.be.greaterThan(10)
    })
  }

  it('15 71: Markdown of 1 MB leaves others their turns', async () => {
    const { count } = await turnsDuring(() => lessonHtml('[['.repeat(LENGTH / 2), render))
    expect(count).to.be.greaterThan(100)
  })

  it('15 71: is shown as it was written when it takes too long, and the next is rendered', async () => {
    const render = markdownRenderer({ mostMs: 1 })
    const long = '*_'.repeat(500_000)
    expect(await render(long)).to.equal(`<pre>${long}</pre>`)
    const patient = markdownRenderer()
    expect(await Promise.all([patient(`*a*\n${'b\n'.repeat(5000)}`), patient('*c*')])).to.satisfy(
      ([first, second]: readonly string[]) =>
        first?.startsWith('<p><em>a</em>') === true && second === '<p><em>c</em></p>\n',
    )
  })
})
