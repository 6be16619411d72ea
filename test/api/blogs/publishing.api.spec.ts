import { expect } from 'chai'
import { startTestService } from '../../support/service.ts'
import { blogOf, HOUR } from './support.ts'

describe('scheduled posts', () => {
  it('appear within a second of their times on the test clock, once each', async () => {
    const service = await startTestService()
    const tenant = await service.tenant({ test: true })
    const blog = await blogOf(tenant)
    await blog.subscribe()
    const times = await Promise.all(Array.from({ length: 200 }, (_, index) => blog.ahead((1 + (index % 50)) * HOUR)))
    const posts: { readonly id: number; readonly published_at: string }[] = []
    for (const [index, published_at] of times.entries())
      posts.push(await blog.posted({ title: `Post ${index}`, visibility: 'scheduled', published_at }))
    await blog.advance(60 * HOUR)
    await service.caughtUp()
    const appeared = new Map<string, string[]>()
    for await (const { type, stream, metadata } of service.background.stores.log.readAll({ after: -1 }))
      if (type === 'BlogPostAppeared') appeared.set(stream, [...(appeared.get(stream) ?? []), metadata.at])
    expect(appeared.size).to.equal(posts.length)
    for (const { id, published_at } of posts) {
      const at = appeared.get(`blogs/post-${id}`) ?? []
      expect(at).to.have.length(1)
      expect(Math.abs(Date.parse(at[0]!) - Date.parse(published_at)), published_at).to.be.lessThan(1000)
    }
  })
})
