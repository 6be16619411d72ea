import { MAX_DEPTH } from '../../domain/resources/tree/tree.ts'
import type { Tenant } from '../../test/support/service.ts'

interface Made {
  readonly id: number
  readonly show_page_step: { readonly id: number }
  readonly branches: readonly { readonly show_page_step: { readonly id: number } }[]
}

/** Nests splits in a funnel as deep as they can be. @returns the funnel, and the request that made the innermost one */
export const nestSplits = async ({ api, workspaceId }: Pick<Tenant, 'api' | 'workspaceId'>, depth = MAX_DEPTH - 2) => {
  const made = async (path: string, body: object): Promise<Made> => {
    const answer = await api.post(path, body)
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const pages = `/workspaces/${workspaceId}/pages`
  const page = async (funnel?: object) => made(pages, { page: { name: 'Nested', ...(funnel && { funnel }) } })
  const { id } = await made(`/workspaces/${workspaceId}/funnels`, { funnel: { name: 'Nested' } })
  const splits = `/funnels/${id}/conditional_split_steps`
  let anchor = (await page({ funnel_id: id })).show_page_step.id
  const next = async () => ({
    conditional_split_step: {
      show_page_step_id: anchor,
      branches: [{ page_id: (await page()).id }, { page_id: (await page()).id }],
    },
  })
  for (let level = 0; level < depth; level++) {
    const split = await made(splits, await next())
    anchor = split.branches[0]!.show_page_step.id
  }
  return { funnelId: id, path: splits, body: await next() }
}
