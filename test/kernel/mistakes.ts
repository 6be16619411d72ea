import { ask, within } from '../../domain/kernel/decide/ask.ts'
import { decider } from '../../domain/kernel/decide/decider.ts'
import { type ActContext, rules } from '../../domain/kernel/decide/rules.ts'
import { integer, text } from '../../domain/kernel/model/fields.ts'
import { model } from '../../domain/kernel/model/model.ts'
import { policy } from '../../domain/kernel/react/policy.ts'
import type { MintId } from '../../domain/kernel/values/ids.ts'
import { workspace } from '../../domain/resources/operations.ts'
import { serve } from '../../domain/resources/serve.ts'
import { asks } from '../../domain/resources/writes.ts'

/**
 * Misspelt declarations that the build must reject: it is an error when a line below `@ts-expect-error` compiles. Nothing here runs.
 */

const page = model('test/page', {
  stream: 'test/book',
  owner: 'book_id',
  attributes: { words: integer({ required: true }) },
  events: { PageWritten: { creates: true }, PageTorn: { ends: true } },
})

const book = model('test/book', {
  attributes: {
    title: text({ required: true }),
    reader: text({ nullable: true, personal: true }),
    lent_until: text({ nullable: true }),
  },
  events: {
    BookBought: { creates: true },
    BookLent: { sets: ['lent_until'] },
    BookReturned: { constants: { lent_until: null } },
  },
  children: { pages: { model: page, key: 'page_id' } },
  timers: { overdue: { due: ({ lent_until }) => lent_until } },
})

const poster = model('test/poster', {
  attributes: { title: text({ required: true }) },
  events: { PosterHung: { creates: true } },
})

type Lent = ActContext<typeof book, { readonly until: string }>

const lend = ({ wanted }: Lent) => [book.event.BookLent({ lent_until: wanted.until })]
const remind = () => []

const books = decider(book, {
  rules: rules(book, { acts: { lend, remind }, timers: { overdue: 'remind' } }),
  children: [rules(page, { acts: { smudge: () => [] } })],
})
const posters = decider(poster)

export const events = [
  // @ts-expect-error event name
  () => book.event.BookLended({ lent_until: 'x' }),
  // @ts-expect-error event field
  () => book.event.BookLent({ lent_til: 'x' }),
  // @ts-expect-error type of an event field
  () => book.event.BookLent({ lent_until: 7 }),
  // @ts-expect-error missing event field
  () => book.event.BookBought({}),
  // @ts-expect-error personal attribute set by hand
  () => book.event.BookBought({ title: 'x', reader: 'Ada' }),
  // @ts-expect-error field of a child's event
  () => book.event.PageWritten({ page_id: 1, word: 3 }),
  // @ts-expect-error an event of the stream belongs to its root model
  () => page.event.PageTorn({ page_id: 1 }),
]

export const tables = [
  // @ts-expect-error unknown key of an event declaration
  () => model('test/a', { attributes: {}, events: { AMade: { birth: true } } }),
  // @ts-expect-error attribute that an event sets
  () => model('test/a', { attributes: { name: text() }, events: { ANamed: { sets: ['nam'] } } }),
  // @ts-expect-error attribute that becomes a constant
  () => model('test/a', { attributes: { name: text() }, events: { ANamed: { constants: { nam: null } } } }),
  // @ts-expect-error attribute that a timer reads
  () => model('test/a', { attributes: { at: text() }, events: {}, timers: { t: { due: ({ att }) => att } } }),
]

export const decisions = [
  // @ts-expect-error raw event
  () => rules(book, { acts: { lend: () => [{ type: 'BookLent', data: { lent_until: 'x' } }] } }),
  // @ts-expect-error event of another aggregate
  () => rules(book, { acts: { lend: () => [poster.event.PosterHung({ title: 'x' })] } }),
  // @ts-expect-error event of another aggregate, besides attributes
  () => rules(book, { save: [() => [poster.event.PosterHung({ title: 'x' })]] }),
  // @ts-expect-error attribute that a rule sets
  () => rules(book, { save: [() => ({ titel: 'x' })] }),
  // @ts-expect-error key of the rules
  () => rules(book, { saves: [] }),
  // @ts-expect-error act of a timer
  () => rules(book, { acts: { remind }, timers: { overdue: 'reminds' } }),
  // @ts-expect-error name of a timer
  () => rules(book, { acts: { remind }, timers: { overdo: 'remind' } }),
  // @ts-expect-error act that is allowed after the end
  () => rules(book, { acts: { remind }, allowedAfterEnd: ['reminds'] }),
  // @ts-expect-error rules of another model
  () => decider(book, { rules: rules(poster, {}) }),
  // @ts-expect-error rules of a model that is no child
  () => decider(book, { children: [rules(poster, {})] }),
  // @ts-expect-error children are a list of rules
  () => decider(book, { children: { page: rules(page, {}) } }),
  () =>
    // @ts-expect-error act that a stored command is translated to
    decider(book, { rules: rules(book, { acts: { lend } }), formerly: { Lend: () => ({ type: 'lent', wanted: {} }) } }),
]

export const commands = [
  // @ts-expect-error command type
  () => ask(books, 1, 'lent', { until: 'x' }),
  // @ts-expect-error command field
  () => ask(books, 1, 'lend', { til: 'x' }),
  // @ts-expect-error missing command field
  () => ask(books, 1, 'lend', {}),
  // @ts-expect-error type of a command field
  () => ask(books, 1, 'lend', { until: 7 }),
  // @ts-expect-error attribute of a creation
  () => ask(posters, 'new', 'create', { titel: 'x' }),
  // @ts-expect-error act of a child
  () => ask(within(books, 1, page), 2, 'lend', { until: 'x' }),
  // @ts-expect-error children of another model
  () => ask(within(books, 1, poster), 2, 'remove', {}),
  // @ts-expect-error minting an id by the name of its model
  (mint: MintId) => mint('test/book'),
]

export const reactions = [
  // @ts-expect-error a policy subscribes to event types, not to their names
  () => policy({ name: 'p', on: ['BookLent'], react: () => [] }),
  // @ts-expect-error event type that the model does not have
  () => policy({ name: 'p', on: [book.event.BookLended], react: () => [] }),
  () =>
    policy({
      name: 'p',
      on: [book.event.BookLent],
      // @ts-expect-error field of the event
      react: ({ data }) => [ask(books, 1, 'lend', { until: data.until })],
    }),
]

const served = { title: 'Test::Book', root: 'test_book', category: 'store', under: workspace } as const
const until = text({ required: true })

export const operations = [
  // @ts-expect-error act of an operation
  () => serve(book, books, { ...served, operations: { lendBooks: asks('/books/{id}/lend', 'lent') } }),
  // @ts-expect-error operation that lacks a field its act needs
  () => serve(book, books, { ...served, operations: { lendBooks: asks('/books/{id}/lend', 'lend') } }),
  () =>
    serve(book, books, {
      ...served,
      operations: {
        // @ts-expect-error field whose type differs from its act's
        lendBooks: asks('/', 'lend', {
          body: { root: 'b', fields: { until: integer({ required: true }) }, mode: 'create' },
        }),
      },
    }),
  () =>
    serve(book, books, {
      ...served,
      operations: { lendBooks: asks('/', 'lend', { body: { root: 'b', fields: { until }, mode: 'create' } }) },
      // @ts-expect-error event that is published
      publishes: { '$book.lent': { on: ['BookLended'], about: 'A book was lent.' } },
    }),
]
