import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'chai'
import { type CookieKind, cookieOf, findByCookie, setCookie } from '../../../api/html/cookies.ts'

const API = path.resolve('api')

const sources = readdirSync(API, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(path.join(API, name), 'utf8') }))

/** Every cookie that the source declares. */
const kinds = sources.flatMap(({ text }) =>
  [...text.matchAll(/: CookieKind = \{ name: '([^']+)'/g)].map(([, name = '']): CookieKind => ({ name, lastsS: 60 })),
)

const verify = (value: string): string | undefined => (value.startsWith('good') ? value : undefined)

describe('cookies of pages', () => {
  it('are declared in one form', () => {
    expect(kinds.map(({ name }) => name)).to.include.members([
      'mr_session',
      'mr_sign_in',
      'mr_second_step',
      'mr_member',
    ])
    const uses = sources.filter(({ text }) => /Set-Cookie/i.test(text)).map(({ name }) => name)
    // Pages and redirects pass on what the module has made; the library's are dropped; places of splits sign nobody in.
    expect(uses.sort()).to.deep.equal(
      [
        'html/cookies.ts',
        'html/page.ts',
        'html/repeats.ts',
        'oauth/consent/cookies.ts',
        'page-app/frame.ts',
        'pages/enter.ts',
        'pages/places.ts',
      ].sort(),
    )
  })

  for (const kind of kinds)
    describe(kind.name, () => {
      const read = (cookie: string, isSecure = false) => cookieOf({ headers: { cookie } }, kind, isSecure, verify)

      it('belongs to its host alone with TLS, whatever a sibling sets', () => {
        const set = setCookie(kind, 'good', true)
        expect(set).to.match(new RegExp(`^__Host-${kind.name}=good; Path=/; .*; Secure$`))
        expect(set).not.to.match(/domain/i)
        expect(read(`${kind.name}=good; __Secure-${kind.name}=good`, true)).to.equal(undefined)
        expect(read(`${kind.name}=good-planted; __Host-${kind.name}=good`, true)).to.equal('good')
      })

      it('is the one that is in order, wherever it stands among others of its name', async () => {
        const junk = Array.from({ length: 40 }, (_, index) => `${kind.name}=junk${index}`)
        for (const at of [0, 6, 40]) {
          const cookie = junk.toSpliced(at, 0, `${kind.name}=good`).join('; ')
          expect(read(cookie), String(at)).to.equal('good')
          const found = await findByCookie({ headers: { cookie } }, kind, false, async (value) => verify(value))
          expect(found).to.equal('good')
        }
        expect(read(`${kind.name}=good; ${kind.name}=good`)).to.equal('good')
      })

      it('is none where two are in order and differ', () => {
        expect(read(`${kind.name}=good-1; ${kind.name}=good-2`)).to.equal(undefined)
        expect(read(`${kind.name}=good-2; ${kind.name}=good-1`)).to.equal(undefined)
      })
    })
})
