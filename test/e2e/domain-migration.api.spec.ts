import { expect } from 'chai'
import { type Tenant, testService } from '../support/service.ts'
import { builder, createdBody, outline, pageSteps, type ShownNode } from '../support/traffic/funnels.ts'

const OLD = 'https://old.example.com'
const NEW = 'https://www.new.example:8443'
const PAGES = 40

/** Paths that a move must not change: case, encoding, extension, trailing slash, root. */
const pathOf = (index: number): string =>
  index === 0
    ? '/'
    : (['/Offer-%C3%BC', '/deep/er/', '/a%2Fb', '/page.html'][index % 4] ?? '') +
      (index % 4 === 1 ? `${index}/` : `${index}`)

/** Every page of a structure by its id, with URL and token. */
const registered = (steps: readonly ShownNode[]) =>
  new Map(pageSteps(steps).map(({ page }) => [page!.id, { url: page!.url, token: page!.sdk_token }]))

describe('moving external pages to another origin', () => {
  let tenant: Tenant
  let build: ReturnType<typeof builder>
  let funnel: number
  before(async () => {
    tenant = await (await testService()).tenant()
    build = builder(tenant)
    funnel = await nestedFunnel()
  })

  const external = (index: number, more: object = {}) =>
    build.external({ name: `P${index}`, external_url: OLD + pathOf(index), ...more })

  /** Creates a funnel of forty pages: every other one opens a split in the branch of the one before. */
  const nestedFunnel = async (): Promise<number> => {
    const { id } = await build.funnel('Moving')
    let anchor = (await external(0, { funnel: { funnel_id: id } })).show_page_step.id
    for (let index = 1; index < PAGES; index += 3) {
      const pages = [await external(index), ...(index + 1 < PAGES ? [await external(index + 1)] : [])]
      const branches = pages.map((page) => ({ page_id: page.public_id }))
      const split = await build.conditional(id, { show_page_step_id: anchor, branches })
      anchor = split.branches[index % 2 && pages.length > 1 ? 1 : 0].show_page_step.id
      if (index + 2 >= PAGES) break
      const page = await external(index + 2)
      const wrapped = split.branches[0].page.id
      await build.test(id, {
        show_page_step_id: split.branches[0].show_page_step.id,
        variants: [{ page_id: wrapped }, { page_id: page.id }],
      })
    }
    return id
  }

  const patch = (id: number, external_url: string) =>
    tenant.api.call('PATCH', `/pages/${id}`, { page: { external_url } })

  /** Moves one page at a time and stops at the first error. @returns the changed pages, so that the move can be reverted */
  const moveAll = async (
    origin: string,
  ): Promise<{ readonly done: ReadonlyMap<number, string>; readonly error?: string }> => {
    const done = new Map<number, string>()
    for (const [id, { url }] of registered(await build.steps(funnel))) {
      const target = origin + url.slice(new URL(url).origin.length)
      const { status, body } = await patch(id, target)
      if (status !== 200) return { done, error: body.error }
      done.set(id, url)
    }
    return { done }
  }

  const rollBack = async (done: ReadonlyMap<number, string>) => {
    for (const [id, url] of done) createdBody(await patch(id, url))
  }

  it('begins with forty pages in nested splits', async () => {
    const steps = await build.steps(funnel)
    expect(registered(steps).size).to.equal(PAGES)
    expect(JSON.stringify(outline(steps)).match(/\[+"P37/)?.[0].length, 'nested deep').to.be.greaterThan(4)
  })

  it('keeps every token and path, and can be reverted', async () => {
    const before = await build.steps(funnel)
    const { done, error } = await moveAll(NEW)
    expect([done.size, error]).to.deep.equal([PAGES, undefined])
    const after = registered(await build.steps(funnel))
    for (const [id, { url, token }] of registered(before)) {
      expect(after.get(id)).to.deep.equal({ url: NEW + url.slice(OLD.length), token })
    }
    await rollBack(done)
    expect(await build.steps(funnel)).to.deep.equal(before)
  })

  it('stops at the first URL that is taken, and reverting leaves nothing changed', async () => {
    const before = await build.steps(funnel)
    const taken = await build.external({ external_url: NEW + pathOf(20) })
    const { done, error } = await moveAll(NEW)
    expect(done.size).to.be.within(1, PAGES - 1)
    expect(error).to.include('URL is already in use by another external page in this workspace')
    await rollBack(done)
    expect(await build.steps(funnel)).to.deep.equal(before)
    expect((await tenant.api.get(`/pages/${taken.id}`)).body.external_url).to.equal(NEW + pathOf(20))
  })
})
