import { expect } from 'chai'
import { downloadLinks } from '../../../api/download-links.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { secretsFrom } from '../../support/secrets.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const file = { resource: 'contacts/export_action', id: 7, workspaceId: 3 }

const secretsOf = (master: string) =>
  secretsFrom((purpose, nonce) => new TextEncoder().encode(`${master}:${purpose}:${nonce}`))

describe('links to files', () => {
  let now = Date.UTC(2026, 0, 1)
  const links = downloadLinks({
    secrets: secretsOf('one'),
    now: () => now,
    origin: 'https://files.example.com/millrace',
  })
  const asked = (url: string, by = links) => {
    try {
      return by.fileIn(new URL(url))
    } catch (error) {
      return error instanceof Refusal ? [error.kind, error.message] : error
    }
  }
  /** The URL behind a proxy that strips its path prefix. */
  const inside = (url: string) => url.replace('/millrace/', '/')

  it('begin with the URL of the listener, and name the file', () => {
    const url = links.urlOf(file)
    expect(url).to.match(/^https:\/\/files\.example\.com\/millrace\/downloads\/contacts\/export_action\/7\?/)
    expect(asked(inside(url))).to.deep.equal(file)
  })

  it('are good for a day, to the second', () => {
    const url = inside(links.urlOf(file))
    now += DAY_MS - 1
    expect(asked(url)).to.deep.equal(file)
    now += 1
    expect(asked(url)).to.deep.equal(['forbidden', 'this link has expired'])
  })

  it('are only good under the secret that they were signed with', () => {
    const others = downloadLinks({ secrets: secretsOf('another'), now: () => now })
    expect(asked(inside(links.urlOf(file)), others)).to.deep.equal(['forbidden', 'this is not a link that was given'])
  })

  it('cannot be changed to another file, workspace or time, in any part', () => {
    const url = inside(links.urlOf(file))
    for (const bent of [
      url.replace('/7?', '/8?'),
      url.replace('export_action', 'tag_action'),
      url.replace('workspace_id=3', 'workspace_id=4'),
      url.replace(/expires=(\d+)/, (_, at) => `expires=${Number(at) + 1}`),
      url.replace(/expires=\d+/, 'expires=1e99'),
      url.replace(/signature=.*/, 'signature='),
      url.replace(/signature=(.)/, (_, first) => `signature=${first === 'A' ? 'B' : 'A'}`),
    ])
      expect(asked(bent), bent).to.deep.equal(['forbidden', 'this is not a link that was given'])
  })

  it('are no links where they lead elsewhere', () => {
    for (const path of ['/', '/downloads', '/downloads/contacts/export_action', '/downloads/contacts/export_action/x'])
      expect(asked(`https://files.example.com${path}?signature=x`), path).to.equal(undefined)
  })
})
