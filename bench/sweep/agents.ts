import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { agentTenant } from '../../test/support/agents.ts'
import { ok } from '../../test/support/client.ts'
import type { TestService } from '../../test/support/service.ts'
import type { Request } from './measure.ts'

/** Records of a page, and the length of each. */
const PAGE = 20
const LENGTH = 900_000

/** Writes long records, and yields what agents ask for about them. */
export const agentRequests = async function* (service: TestService): AsyncGenerator<Request> {
  const tenant = await agentTenant(service)
  const { api, workspaceId } = tenant
  const blog = ok(await api.get(`/workspaces/${workspaceId}/blogs`))[0].id
  const markup = `<section><row><column><paragraph>${'界 '.repeat(LENGTH / 4)}</paragraph></column></row></section>`
  let id = 0
  for (let made = 0; made < PAGE; made++)
    id = ok(await api.post(`/blogs/${blog}/posts`, { blogs_post: { title: `Long ${made}`, markup } })).id
  await service.caughtUp()
  const { origin, pathname: path } = new URL(service.agentsUrl)
  const token = await tenant.letIn()
  const headers = {
    ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    accept: 'application/json, text/event-stream',
  }
  const of = (name: string, method: string, params: JsonObject): Request => ({
    ...{ name: `agents: ${name}`, method: 'POST', at: origin, path, headers, token },
    body: { jsonrpc: '2.0', id: 1, method, params },
  })
  const call = (operation_id: string, sent: JsonObject, more: JsonObject = {}) =>
    of(`${operation_id} of long records ${JSON.stringify(more)}`, 'tools/call', {
      name: 'call_read_operation',
      arguments: { operation_id, ...sent, ...more },
    })
  const list = { path: { blog_id: blog }, query: { expand: ['markup'] } }
  // The first request of an agent loads what serves it.
  yield of('tools', 'tools/list', {})
  yield call('listBlogsPosts', list)
  yield call('listBlogsPosts', list, { continue_at: '@19' })
  yield call('getBlogPost', { path: { id }, query: { expand: ['markup'] } })
  yield of('what changed in a long record', 'tools/call', {
    name: 'what_changed',
    arguments: { kind: 'blogs.posts', id },
  })
  for (const uri of ['millrace://openapi', 'millrace://openapi/listContacts', `millrace://record/blogs.posts/${id}`])
    yield of(uri.replace(String(id), '{id}'), 'resources/read', { uri })
}
