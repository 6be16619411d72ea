import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { readConfig } from '../infra/config.ts'
import { createCore } from '../infra/runtime/core.ts'
import { openStores } from '../infra/stores/open.ts'
import { fillWithPosts } from './fill/posts.ts'
import { apiOf, type ServiceReady, startService } from './service.ts'
import { median } from './statistics.ts'

/** Measures what a page of the posts of a space costs, in a space with many posts and in one with few. */

interface Made {
  readonly id: number
}

/** Posts of the smaller space. */
const FEW = 100
const PAGE = 20

/** Makes two spaces, with the service, and fills them, without it. @returns their ids and who may read them */
const prepare = async (data: string, many: number) => {
  const service = await startService(data, { demo: true })
  const { ready } = service
  const call = apiOf(ready)
  const { id } = await call<Made>('POST', 'communities', { community: { name: 'Potters' } })
  const groups = `/communities/${id}/space_groups`
  const group = await call<Made>('POST', groups, { communities_space_group: { name: 'Kilns' } })
  const spaces = `/communities/space_groups/${group.id}/spaces`
  const [large, small] = [
    await call<Made>('POST', spaces, { communities_space: { name: 'Large' } }),
    await call<Made>('POST', spaces, { communities_space: { name: 'Small' } }),
  ]
  const { team_id: teamId } = await call<{ readonly team_id: number }>('GET', `/workspaces/${ready.workspace_id}`)
  await service.stop()
  const stores = await openStores(readConfig({ MILLRACE_DATA: data }))
  const core = await createCore(stores)
  const target = { teamId, workspaceId: Number(ready.workspace_id) }
  await fillWithPosts(core, target, { spaceId: large.id, count: many })
  await fillWithPosts(core, target, { spaceId: small.id, count: FEW })
  await core.rebuild()
  const last = await stores.log.lastPosition()
  // The followers of the log start after these posts, as if a running service had followed them.
  await stores.checkpoints.set('webhooks', last)
  await stores.reactorStore.write([], last)
  await stores.close()
  return { large: large.id, small: small.id, ready }
}

type Call = ReturnType<typeof apiOf>

/** Pages of a space that are measured: the beginning and the end of its list, one in its middle, and one in another order. */
const pagesOf = async (call: Call, spaceId: number, count: number): Promise<Readonly<Record<string, string>>> => {
  const posts = `/communities/spaces/${spaceId}/posts`
  const first = await call<readonly Made[]>('GET', posts)
  const after = first[0]!.id + Math.floor(count / 2) - PAGE
  return {
    first: posts,
    middle: `${posts}?after=${after}`,
    newest: `${posts}?sort_order=desc`,
    changed: `${posts}?sort_property=updated_at&sort_order=desc`,
  }
}

/** Reads pages of both spaces in turn, so that whatever else the machine does falls on both. @returns medians in milliseconds */
const compare = async (call: Call, pages: readonly [string, string], rounds: number) => {
  const times: readonly [number[], number[]] = [[], []]
  for (let round = 0; round < 2 * rounds; round++) {
    const which = round % 2 === 0 ? 0 : 1
    const begun = performance.now()
    const found = await call<readonly Made[]>('GET', pages[which])
    times[which].push(performance.now() - begun)
    if (found.length !== PAGE) throw new Error(`${pages[which]} has ${found.length} posts`)
  }
  const [large, small] = [median(times[0]), median(times[1])]
  return { large_ms: large, small_ms: small, ratio: large / small }
}

const measure = async ({ posts, rounds }: { readonly posts: string; readonly rounds: string }): Promise<void> => {
  const home = await mkdtemp(path.join(tmpdir(), 'millrace-spaces-'))
  try {
    const data = path.join(home, 'data')
    const made = await prepare(data, Number(posts))
    // No answers are kept, so that each request reads the documents.
    const service = await startService(data, { env: { MILLRACE_ANSWERS_MIB: '0' } })
    const ready: ServiceReady = {
      ...service.ready,
      api_key: made.ready.api_key,
      workspace_id: made.ready.workspace_id,
    }
    const call = apiOf(ready)
    const [large, small] = [await pagesOf(call, made.large, Number(posts)), await pagesOf(call, made.small, FEW)]
    for (const [name, page] of Object.entries(large)) {
      const pages = [page, small[name]!] as const
      await compare(call, pages, Number(rounds) / 10)
      process.stdout.write(`${JSON.stringify({ page: name, ...(await compare(call, pages, Number(rounds))) })}\n`)
    }
    await service.stop()
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

await new Command('spaces')
  .option('--posts <number>', 'how many the larger space has', '100000')
  .option('--rounds <number>', 'how often each page is read', '1000')
  .action(measure)
  .parseAsync()
process.exit(0)
