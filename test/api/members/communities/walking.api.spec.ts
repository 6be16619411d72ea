import { expect } from 'chai'
import { ok } from '../../../support/client.ts'
import { formToken, memberCommunity } from '../../../support/member-communities.ts'
import { type Tenant, type TestService, testService } from '../../../support/service.ts'

const POSTS = '/communities/spaces/posts'
const PER_PAGE = 20

describe('walking through the posts of a space on the members’ side', () => {
  let service: TestService
  let tenant: Tenant
  before(async () => {
    service = await testService()
    tenant = await service.tenant({ test: true })
  })

  /** Titles on a page, those that are pinned first. */
  const titlesIn = (text: string) => [...text.matchAll(/<h3><a href="[^"]+">([^<]+)<\/a>/g)].map(([, title]) => title)
  const olderIn = (text: string) => /href="([^"]+)">Older posts/.exec(text)?.[1]?.replaceAll('&amp;', '&')

  it('15 54: brings nothing twice and leaves nothing out, whatever is added, deleted, declined and pinned on the way', async () => {
    const on = await memberCommunity(service, tenant)
    const ada = await on.member('ada')
    const posts: number[] = []
    const write = async (title: string) => posts.push(Number((await on.make.post(on.space, { title })).id))
    for (let n = 0; n < 65; n++) await write(`Post ${n}`)
    const act = async (n: number, name: string) => ok(await tenant.api.post(`${POSTS}/${posts[n]}/${name}`))
    await act(64, 'pin')
    await act(10, 'pin')
    await act(9, 'pin')

    const seen: (string | undefined)[] = []
    let page = await ada.browser.get(`/members/spaces/${on.space}`)
    expect(titlesIn(page.text)).to.have.length(PER_PAGE + 3)
    expect(titlesIn(page.text).slice(0, 3)).to.deep.equal(['Post 64', 'Post 10', 'Post 9'])
    seen.push(...titlesIn(page.text))

    const between = [
      async () => {
        await write('Added')
        await act(9, 'unpin')
        await act(30, 'pin')
        await act(63, 'pin')
        for (let n = 20; n < 25; n++) await act(n, 'decline')
        ok(await tenant.api.delete(`${POSTS}/${posts[44]}`))
        ok(await tenant.api.delete(`${POSTS}/${posts[40]}`))
      },
      async () => {
        await act(10, 'unpin')
        await act(5, 'pin')
        await act(63, 'unpin')
        for (let n = 6; n < 9; n++) await act(n, 'decline')
      },
    ]
    for (let next = olderIn(page.text); next !== undefined; next = olderIn(page.text)) {
      await between.shift()?.()
      page = await ada.browser.get(next)
      expect(titlesIn(page.text)).not.to.have.length(0)
      if (olderIn(page.text) !== undefined) expect(titlesIn(page.text)).to.have.length(PER_PAGE)
      seen.push(...titlesIn(page.text))
    }
    const gone = [20, 21, 22, 23, 24, 40, 44, 6, 7, 8]
    const left = Array.from({ length: 65 }, (_, n) => n).filter((n) => !gone.includes(n) || seen.includes(`Post ${n}`))
    expect(new Set(seen).size).to.equal(seen.length)
    expect(new Set(seen)).to.deep.equal(new Set(left.map((n) => `Post ${n}`)))
    expect(seen).not.to.include('Added')
  })

  it('brings once what is pinned and unpinned, or unpinned and pinned, while somebody walks', async () => {
    const on = await memberCommunity(service, tenant)
    const ada = await on.member('lovelace')
    const posts: number[] = []
    for (let n = 0; n < 50; n++) posts.push(Number((await on.make.post(on.space, { title: `Post ${n}` })).id))
    const act = async (n: number, name: string) => ok(await tenant.api.post(`${POSTS}/${posts[n]}/${name}`))
    for (let n = 0; n < 25; n++) await act(n, 'pin')
    const first = await ada.browser.get(`/members/spaces/${on.space}`)
    const morePinned = /href="([^"]+pinned=[^"]+)">/.exec(first.text)?.[1]?.replaceAll('&amp;', '&')
    for (const times of ['pin', 'unpin']) await act(26, times)
    for (const times of ['unpin', 'pin']) await act(1, times)
    for (const times of ['unpin', 'pin', 'unpin']) await act(2, times)
    for (const times of ['pin', 'unpin', 'pin']) await act(27, times)
    const seen = [...titlesIn(first.text)]
    for (let next = olderIn(first.text); next !== undefined; ) {
      const { text } = await ada.browser.get(next)
      seen.push(...titlesIn(text))
      next = olderIn(text)
    }
    const { text } = await ada.browser.get(morePinned!)
    seen.push(...titlesIn(text))
    expect(new Set(seen).size).to.equal(seen.length)
    expect(new Set(seen)).to.deep.equal(new Set(posts.map((_, n) => `Post ${n}`)))
  })

  it('brings each comment once, those that wait for approval where they would be, and leads to the page of each', async () => {
    const on = await memberCommunity(service, tenant, { require_comment_approvals: true })
    const [hopper, eve] = [await on.member('hopper', { moderator: true }), await on.member('eve')]
    const { id } = await on.make.post(on.space)
    const token = await formToken(eve.browser)
    const written: string[] = []
    for (let n = 0; n < 210; n++) {
      const body = `Comment ${n}.`
      if (n % 3 === 0) ok(await on.make.comment(Number(id), { body }))
      else await eve.browser.post(`/members/posts/${id}/comment`, { ...token, body })
      written.push(body)
    }
    await service.caughtUp()
    const lengths: number[] = []
    const seen: (string | undefined)[] = []
    for (let next: string | undefined = `/members/posts/${id}`; next !== undefined; ) {
      const { text } = await hopper.browser.get(next)
      const bodies = [...text.matchAll(/Comment \d+\./g)].map(([body]) => body)
      lengths.push(bodies.length)
      seen.push(...bodies)
      next = /href="([^"]+)">More comments/.exec(text)?.[1]?.replaceAll('&amp;', '&')
    }
    expect(lengths).to.deep.equal([100, 100, 10])
    expect(seen).to.deep.equal(written)
    const comments = ok(await tenant.api.get(`/communities/spaces/posts/${id}/comments?sort_order=desc`))
    for (const { id: one } of [comments[0], comments[19]]) {
      const { headers } = await hopper.browser.get(`/members/comments/${one}`)
      expect((await hopper.browser.get(String(headers.location))).text).to.contain(`id="comment-${one}"`)
    }
  })

  it('15 54: an address that is no place begins the list', async () => {
    const on = await memberCommunity(service, tenant)
    const grace = await on.member('grace')
    await on.make.post(on.space, { title: 'Alone' })
    for (const after of ['x', '1_2_3', '2026-01-01T00:00:00.000Z_x_2026-01-01T00:00:00.000Z', '%00'])
      expect(titlesIn((await grace.browser.get(`/members/spaces/${on.space}?after=${after}`)).text)).to.deep.equal([
        'Alone',
      ])
  })
})
