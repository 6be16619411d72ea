import { communitiesOf } from './communities.ts'
import { type MemberBrowser, signedIn } from './member.ts'
import type { Tenant, TestService } from './service.ts'

/** A contact with its browser. */
export interface Person {
  readonly id: number
  readonly browser: MemberBrowser
}

/** Returns the token of the forms of who is signed in, as the fields of a form. */
export const formToken = async ({ get }: Pick<MemberBrowser, 'get'>): Promise<Readonly<Record<string, string>>> => {
  const [, form_token = ''] = /name="form_token" value="([^"]+)"/.exec((await get('/members')).text) ?? []
  return { form_token }
}

/** A community with one space, and what its members do there. */
export const memberCommunity = async (
  service: TestService,
  tenant: Tenant,
  fields: object = {},
  inSpace: object = {},
) => {
  const make = communitiesOf(tenant)
  const { api, workspaceId } = tenant
  const community = Number((await make.community(fields)).id)
  const group = Number((await make.group(community)).id)
  const space = Number((await make.space(group, inSpace)).id)

  const contact = async (name: string, more: object = {}): Promise<number> => {
    const sent = { contact: { email_address: `${name}@example.com`, first_name: name, ...more } }
    const { status, body } = await api.post(`/workspaces/${workspaceId}/contacts`, sent)
    if (status !== 201) throw new Error(`a contact was answered with ${status} ${JSON.stringify(body)}`)
    return Number(body.id)
  }
  const person = async (name: string, more: object = {}): Promise<Person> => {
    const id = await contact(name, more)
    return { id, browser: await signedIn(service, tenant, `${name}@example.com`) }
  }
  const member = async (name: string, joined: object = {}): Promise<Person> => {
    const one = await person(name)
    const { status } = await make.join(community, one.id, joined)
    if (status !== 201) throw new Error(`joining was answered with ${status}`)
    return one
  }
  /** Writes a post, and returns its id. */
  const write = async ({ browser }: Person, title: string, body = 'What now?'): Promise<number> => {
    const path = `/members/spaces/${space}/write`
    const { status, text } = await browser.submit(path, path, { title, body })
    if (status !== 303) throw new Error(`a post was answered with ${status}: ${text}`)
    const posts = (await api.get(`/communities/spaces/${space}/posts?sort_order=desc`)).body
    return Number(posts[0].id)
  }
  /** Comments on a post, and returns the id of the comment. */
  const comment = async ({ browser }: Person, post: number, body: string): Promise<number> => {
    const { status, text } = await browser.submit(`/members/posts/${post}`, `/members/posts/${post}/comment`, { body })
    if (status !== 303) throw new Error(`a comment was answered with ${status}: ${text}`)
    const comments = (await api.get(`/communities/spaces/posts/${post}/comments?sort_order=desc`)).body
    return Number(comments[0].id)
  }
  const stored = async (post: number) => (await api.get(`/communities/spaces/posts/${post}`)).body
  return { make, community, group, space, contact, person, member, write, comment, stored }
}

/** A community with one space, as `memberCommunity` makes it. */
export type MemberCommunity = Awaited<ReturnType<typeof memberCommunity>>
