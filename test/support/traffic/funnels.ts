import { expect } from 'chai'
import type { Answer } from '../client.ts'
import type { Tenant } from '../service.ts'

export interface ShownPage {
  readonly id: number
  readonly public_id: string
  readonly url: string
  readonly external: boolean
  readonly sdk_token: string | null
}

export interface ShownNode {
  readonly id: number
  readonly step_type: string
  readonly name: string
  readonly sort_order: number
  readonly show_page_step_id?: string
  readonly convergence_step_id?: number | null
  readonly page?: ShownPage | null
  readonly branches?: readonly { readonly branch: string; readonly steps: readonly ShownNode[] }[]
  readonly variants?: readonly { readonly weight: number; readonly steps: readonly ShownNode[] }[]
}

/** The body of an answer, which must be 200 or 201. */
export const createdBody = ({ status, body }: Answer): Answer['body'] => {
  expect(status, JSON.stringify(body)).to.be.oneOf([200, 201])
  return body
}

let count = 0
export const uniqueUrl = (): string => `https://example.com/${process.pid}-${++count}`

/** API calls that build funnels in a tenant's workspace. */
export const builder = ({ api, workspaceId }: Tenant) => {
  const workspace = `/workspaces/${workspaceId}`
  return {
    funnel: async (name = 'Launch') => createdBody(await api.post(`${workspace}/funnels`, { funnel: { name } })),
    page: async (fields: object = {}) =>
      createdBody(await api.post(`${workspace}/pages`, { page: { name: 'Page', ...fields } })),
    external: async (fields: object = {}) =>
      createdBody(await api.post(`${workspace}/pages/external`, { page: { external_url: uniqueUrl(), ...fields } })),
    test: async (funnel: number, split_test_step: object) =>
      createdBody(await api.post(`/funnels/${funnel}/split_test_steps`, { split_test_step })),
    conditional: async (funnel: number, conditional_split_step?: object) =>
      createdBody(
        await api.post(
          `/funnels/${funnel}/conditional_split_steps`,
          conditional_split_step && { conditional_split_step },
        ),
      ),
    steps: async (funnel: number): Promise<readonly ShownNode[]> =>
      createdBody(await api.get(`/funnels/${funnel}/structure`)).steps,
  }
}

const sidesOf = ({ branches, variants }: ShownNode) => branches ?? variants ?? []

/** A short form of a structure: names of pages, and splits as lists of their sides. */
export const outline = (steps: readonly ShownNode[]): unknown[] =>
  steps.map((node) => (node.page !== undefined ? node.name : sidesOf(node).map((side) => outline(side.steps))))

/** Every step that shows a page, at any depth. */
export const pageSteps = (steps: readonly ShownNode[]): readonly ShownNode[] =>
  steps.flatMap((node) => (node.page ? [node] : sidesOf(node).flatMap((side) => pageSteps(side.steps))))
