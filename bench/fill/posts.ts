import { posts } from '../../domain/communities/post/rules.ts'
import type { Core } from '../../infra/runtime/core.ts'
import { BENCHMARK } from '../people.ts'
import { actor, type FillTarget, TOGETHER } from './target.ts'

/** Creates a number of posts in a space. */
export const fillWithPosts = async (
  core: Core,
  target: Pick<FillTarget, 'teamId' | 'workspaceId'>,
  { spaceId, count }: { readonly spaceId: number; readonly count: number },
): Promise<void> => {
  const act = actor(core, { ...target, stageIds: [] })
  const create = (n: number) => {
    const id = core.ids.next('communities/spaces/post')
    const wanted = { space_id: spaceId, title: `Post ${n}`, body: '<p>Thinner, and <b>slower</b>.</p>' }
    return act(posts, id, { type: 'create', id, wanted, at: new Date().toISOString(), actor: BENCHMARK }, true)
  }
  for (let from = 0; from < count; from += TOGETHER)
    await Promise.all(Array.from({ length: Math.min(TOGETHER, count - from) }, (_, n) => create(from + n)))
}
