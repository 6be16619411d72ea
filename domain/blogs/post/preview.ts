import { Type } from 'typebox'
import { read } from '../../resources/operations.ts'
import { originOf } from '../../sites/public.ts'
import { post } from './model.ts'

/** Operation that gives staff a link to a preview of a post, as its readers will see it. The link is signed, and works for a day. */
export const postPreview = read('/blogs/posts/{id}/preview', {
  beyondContract: true,
  summary: 'A link to a preview of a post, visible or not. It works for a day, for everybody who has it',
  schema: Type.Object({ url: Type.String() }),
  async read({ document, load }) {
    const workspaceId = Number(document?.workspace_id)
    const link = load.download({ resource: post.name, id: Number(document?.id), workspaceId })
    const origin = await originOf(load, workspaceId)
    return { url: origin === undefined ? link : origin + link.slice(link.indexOf('/downloads/')) }
  },
})
