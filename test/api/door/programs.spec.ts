import { expect } from 'chai'
import { isInAdvance, isProgram } from '../../../api/http/programs.ts'
import { browserOf } from '../../../api/http/user-agent.ts'
import { isMachine } from '../../../api/mail/machines.ts'

const onAndroid = (device: string): string =>
  `Mozilla/5.0 (Linux; Android 10; ${device}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36`
const iPhone = (app: string): string =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${app}`

const PERSONS = [
  ...['CUBOT X30', 'CUBOT', 'CUBOT_NOTE_7', 'CUBOT KINGKONG Build/PPR1', 'SM-G991B'].map(onAndroid),
  ...['Viber/20', 'Mobile/15E148 Instagram 300.0.0.20.109', 'Mobile/15E148 [FBAN/FBIOS;FBAV/430.0]'].map(iPhone),
  ...['Mobile/15E148 Safari Line/13.0.0', 'GSA/280 Mobile/15E148 Safari/604.1'].map(iPhone),
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:120.0) Gecko/20100101 Firefox/120.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15',
  'Mozilla/5.0 (Linux; Android 13; wv) AppleWebKit/537.36 Version/4.0 Chrome/116 Mobile Safari/537.36 LinkedInApp',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Slack/4.35 Chrome/118 Electron/27 Safari/537.36',
]

const PROGRAMS = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
  ...['axios/1.6.0', 'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)', 'node', 'undici', 'Viber'],
  ...['http.rb/5.1.1 (Mastodon/4.2.0; +https://social.example/)', 'Iframely/1.3.1 (+https://iframely.com/docs/about)'],
  ...['WhatsApp/2.23.20.0 A', 'facebookexternalhit/1.1', 'Slackbot-LinkExpanding 1.0', 'TelegramBot (like TwitterBot)'],
  ...['SkypeUriPreview Preview/0.5', 'Discordbot/2.0', 'Mozilla/5.0 (compatible; UptimeRobot/2.0)', 'curl/8.1.0'],
  ...['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'Google-InspectionTool/1.0'],
  ...['Mozilla/5.0 (compatible; GPTBot/1.1)', 'ChatGPT-User/1.0', 'python-requests/2.31', 'Go-http-client/1.1'],
  ...['Better Uptime Bot', 'kube-probe/1.2', 'okhttp/4.9', 'Java/17', 'Mozilla/5.0', '', ' '],
]

const asking = (headers: Readonly<Record<string, string>>, method = 'GET') => ({
  method,
  get: (name: string) => headers[name] ?? '',
})

describe('programs among those who ask', () => {
  it('are known by one list, for splits, views and fetches of mails', () => {
    const takenFor = (agents: readonly string[]) =>
      agents.map((agent) => [agent, isProgram(agent), browserOf(agent).bot, isMachine(asking({ 'User-Agent': agent }))])
    expect(takenFor(PERSONS)).to.deep.equal(PERSONS.map((agent) => [agent, false, false, false]))
    expect(takenFor(PROGRAMS)).to.deep.equal(PROGRAMS.map((agent) => [agent, true, true, true]))
  })

  it('are not who has a page loaded in advance, whom the browser names', () => {
    const [first = ''] = PERSONS
    const headers = { 'User-Agent': first, 'Sec-Purpose': 'prefetch;anonymous-client-ip' }
    expect([isInAdvance(asking(headers)), isProgram(first), isMachine(asking(headers))]).to.deep.equal([
      true,
      false,
      true,
    ])
    expect(isInAdvance(asking({ 'User-Agent': first, 'Sec-Fetch-Mode': 'navigate' }))).to.equal(false)
  })
})
