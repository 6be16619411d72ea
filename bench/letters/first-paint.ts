import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import { CHROMIUM, WHY_NOT } from '../../test/support/chromium.ts'
import { type Probe, ProbeSkipped, type Service } from '../probe.ts'
import { apiOf } from '../service.ts'
import { median, quantile } from '../statistics.ts'

const PAGES = ['letter', 'checkout'] as const
/** Times that each page is opened in a round. */
const TIMES = 10

/** What a page is asked: how many milliseconds after its beginning something of it was painted. */
const PAINTED = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    const [paint] = list.getEntriesByName('first-contentful-paint')
    if (paint) resolve(paint.startTime)
  }).observe({ type: 'paint', buffered: true })
})`

const label = (page: string): string => `/mug/${page}, first contentful paint`

/** Waits until the funnel of the demo shop is complete: its checkout comes last. */
const furnished = async ({ ready }: Service): Promise<void> => {
  const call = apiOf(ready)
  for (;;) {
    const [funnel] = await call<readonly { readonly id: number }[]>('GET', 'funnels')
    const checkout = funnel && (await call<{ readonly enabled: boolean }>('GET', `/funnels/${funnel.id}/checkout`))
    if (checkout?.enabled) return
    await sleep(100)
  }
}

/** Opens a page in a new profile, whose cache is empty. @returns the milliseconds until something of it was to be seen */
const paintedIn = async (browser: Browser, url: string): Promise<number> => {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(url)
    return await page.evaluate<number>(PAINTED)
  } finally {
    await context.close()
  }
}

/** (s) How soon something of a hosted page is to be seen in Chromium, with an empty cache. */
export const firstPaint: Probe = {
  benchmark: 's',
  title: () => `pages of the demo funnel in Chromium, with an empty cache, ${TIMES} times each`,
  async prepare({ scratch, start }) {
    if (WHY_NOT) throw new ProbeSkipped(WHY_NOT)
    const service = await start(await scratch('paint'), { demo: 'furnished' })
    await furnished(service)
    return {
      async read() {
        const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
        try {
          const readings = []
          for (const page of PAGES) {
            const times: number[] = []
            for (let time = 0; time < TIMES; time++)
              times.push(await paintedIn(browser, `${service.ready.pages}/mug/${page}`))
            readings.push(
              { label: label(page), unit: 'ms', value: median(times) },
              { label: `${label(page)}, slowest of ${TIMES}`, unit: 'ms', value: quantile(times, 1) },
            )
          }
          return readings
        } finally {
          await browser.close()
        }
      },
    }
  },
  targets: PAGES.map((page) => ({ says: `first contentful paint of /mug/${page}`, of: label(page), atMost: 500 })),
}
