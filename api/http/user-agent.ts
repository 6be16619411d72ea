import { isProgram } from './programs.ts'
import { remembering } from './remembering.ts'

/** What a browser's `User-Agent` says. */
export interface Browser {
  readonly browser: string | null
  readonly os: string | null
  readonly device_type: 'desktop' | 'mobile' | 'tablet' | 'bot' | null
  /** Whether it is no browser that a person uses. */
  readonly bot: boolean
}

/** Names of browsers with their marks. The first that is there counts, since browsers carry the marks of those that came before them. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ['Instagram', /\bInstagram\b/],
  ['Facebook', /\bFB(?:AN|AV)\//],
  ['TikTok', /\b(?:BytedanceWebview|musical_ly|TikTok)\b/],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Opera', /\b(?:OPR|OPT|Opera)\//],
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Yandex', /\bYaBrowser\//],
  ['Vivaldi', /\bVivaldi\//],
  ['UC Browser', /\bUCBrowser\//],
  ['DuckDuckGo', /\b(?:DuckDuckGo|Ddg)\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//],
  ['Safari', /\bVersion\/\d.{0,200}\bSafari\//],
  ['Internet Explorer', /\b(?:MSIE |Trident\/)/],
]

const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
]

const TABLET = /\biPad\b|\bTablet\b|\bSilk\/|\bKindle\b/
const MOBILE = /\bMobile\b|\biPhone\b|\biPod\b|\bWindows Phone\b/

const nameIn = (table: typeof BROWSERS, text: string): string | null =>
  table.find(([, mark]) => mark.test(text))?.[0] ?? null

const deviceIn = (text: string, os: string | null): Browser['device_type'] => {
  if (TABLET.test(text) || (os === 'Android' && !MOBILE.test(text))) return 'tablet'
  if (MOBILE.test(text)) return 'mobile'
  return os === null ? null : 'desktop'
}

const read = (text: string): Browser => {
  const bot = isProgram(text)
  const os = nameIn(SYSTEMS, text)
  return { browser: nameIn(BROWSERS, text), os, device_type: bot ? 'bot' : deviceIn(text, os), bot }
}

/** Returns what a `User-Agent` says. */
export const browserOf = remembering(read, { most: 5000 })
