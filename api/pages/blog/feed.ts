import { createHash } from 'node:crypto'
import { dateOf } from '../../../domain/blogs/post/model.ts'
import { escapeHtml } from '../../../domain/kernel/values/html.ts'
import { pieceByPiece } from '../../../domain/kernel/values/piece-by-piece.ts'
import { inSlices } from '../../../domain/kernel/values/turns.ts'
import { parseMarkup } from '../../../domain/pages/markup/tree.ts'
import { bodyInTurns } from '../body.ts'
import { picturesOf } from '../content.ts'
import type { Outcome } from '../outcome.ts'
import type { Reading } from '../site.ts'
import { contentHtml } from './feed-content.ts'
import { nextDue, type OpenBlog, type Post, postsAmong, urlAt } from './listing.ts'
import { excerptOf, partsOf, sent } from './parts.ts'

export const MOST_ENTRIES = 20

/** Characters that XML 1.0 cannot have, in text that is well-formed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters in question
const NO_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]+/g

/** Escapes a text for XML 1.0, without the characters that it cannot have. */
export const xmlText = (text: string): string => escapeHtml(text.toWellFormed().replace(NO_XML, ''))

/** Returns a lasting name that follows from a public id alone: it survives other titles, paths and hosts. */
const lastingId = (kind: string, publicId: string): string => {
  const bytes = createHash('sha256').update(`${kind} ${publicId}`).digest().subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x80
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return `urn:uuid:${bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')}`
}

const element = (name: string, text: string): string => `<${name}>${xmlText(text)}</${name}>`
const link = (rel: string, type: string, url: URL): string =>
  `<link rel="${rel}" type="${type}" href="${xmlText(url.href)}"/>`
const authorOf = (name: string): string => `<author>${element('name', name)}</author>`

/** Returns when the text of a post was last changed, or became visible after that. */
const updatedOf = (one: Post): string => {
  const [written, date] = [one.rewritten_at ?? one.created_at, dateOf(one) ?? one.created_at]
  return written > date ? written : date
}

const contentOf = async (url: URL, one: Post, reading: Reading): Promise<string> => {
  const at = { base: url, pictures: await picturesOf(one, reading) }
  const content = await inSlices(contentHtml(await inSlices(parseMarkup(one.markup ?? '')), at))
  return `<content type="html">${await inSlices(pieceByPiece(content, xmlText))}</content>`
}

const entryOf = async (open: OpenBlog, one: Post, reading: Reading): Promise<string> => {
  const url = urlAt(open, one.current_path)
  const isOpen = one.visibility !== 'members_only'
  const { authors, tags, categories } = await partsOf(one, reading)
  const excerpt = excerptOf(one)
  const content = isOpen ? await contentOf(url, one, reading) : ''
  return [
    '<entry>',
    element('id', lastingId('blogs/post', one.public_id)),
    element('title', one.title),
    link('alternate', 'text/html', url),
    element('published', dateOf(one) ?? one.created_at),
    element('updated', updatedOf(one)),
    ...authors.map(({ name }) => authorOf(name)),
    ...[...categories, ...tags].map(({ name }) => `<category term="${xmlText(name)}"/>`),
    excerpt === '' ? '' : element('summary', excerpt),
    content,
    '</entry>',
  ].join('')
}

/** Returns the Atom feed of a blog: its newest posts. Those for members have a title and a written excerpt. */
export const feedOf = async (open: OpenBlog, reading: Reading): Promise<Outcome> => {
  const { blog } = open
  const path = `${blog.current_path}/feed`
  const posts = await postsAmong({ shown_in: blog.id }, open, reading, { limit: MOST_ENTRIES })
  const entries: string[] = []
  for (const one of posts) entries.push(await entryOf(open, one, reading))
  const updated = posts.map(updatedOf).reduce((last, one) => (one > last ? one : last), blog.created_at)
  const parts = [
    '<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', lastingId('blog', blog.public_id)),
    element('title', blog.name),
    element('updated', updated),
    authorOf(blog.name),
    link('self', 'application/atom+xml', urlAt(open, path)),
    link('alternate', 'text/html', urlAt(open, blog.current_path)),
    ...entries,
    '</feed>\n',
  ]
  const body = await bodyInTurns(parts, { 'Content-Type': 'application/atom+xml; charset=utf-8' })
  return { kind: 'body', body, at: sent(open, path), until: await nextDue(open, reading) }
}
