import { expect } from 'chai'
import { moment, reference, text } from '../../domain/kernel/model/fields.ts'
import { foldOf } from '../../domain/kernel/model/fold.ts'
import { model } from '../../domain/kernel/model/model.ts'
import type { FoldedEvent } from '../../domain/kernel/values/event.ts'
import { mergeAttributes } from '../../domain/resources/attributes/merge.ts'

const AT = '2026-05-01T00:00:00.000Z'

/** A record with everything that the engine can add to a document: an owner, a person, a timer and a blind index. */
const note = model('tests/note', {
  stream: 'tests/board',
  owner: 'board_id',
  attributes: {
    author_id: reference('contact', { required: true }),
    words: text({ personal: true }),
    due_at: moment({ nullable: true }),
    shown_at: moment({ nullable: true }),
  },
  events: { NoteWritten: { creates: true } },
  person: 'author_id',
  blindIndexes: { words_digest: { attribute: 'words', purpose: 'tests' } },
  timers: { show: { due: ({ shown_at }) => shown_at } },
})

const board = model('tests/board', {
  attributes: { name: text() },
  events: { BoardMade: { creates: true } },
  children: { notes: { model: note, key: 'note_id' } },
})

const written = (data: object): FoldedEvent => ({
  type: 'NoteWritten',
  data: { note_id: 2, author_id: 3, personal: { words: 'w' }, due_at: null, shown_at: null, ...data },
  stream: 'tests/board-1',
  revision: 4,
  metadata: { at: AT, actor: 'key:1', $correlationId: 'c', $causationId: 'c', of: 3, team_id: 5, workspace_id: 6 },
})

const folded = (data: object) =>
  foldOf(note, { parent: board, child: board.children.notes }).apply(undefined, written(data), 2, String)

/** Names of the fields of a document that are not attributes. */
const added = Object.keys(folded({}) ?? {}).filter((name) => !(name in note.attributes))

describe('fields of the engine', () => {
  it('are beside the attributes of a record', () => {
    const own = ['id', 'public_id', 'team_id', 'workspace_id', 'created_at', 'updated_at', 'rev', 'board_id']
    expect(added).to.have.members([...own, 'personal', 'personal_of', 'words_digest', '_due_at', '_due_in'])
    const times = { due_at: '2026-06-01T00:00:00.000Z', shown_at: AT }
    expect(folded(times)).to.include({ ...times, _due_at: AT })
  })

  for (const name of added) {
    it(`cannot be declared as attributes: ${name}`, () => {
      const declare = () =>
        model('tests/other', {
          stream: 'tests/board',
          owner: 'board_id',
          attributes: { [name]: text(), words: text({ personal: true }) },
          events: { OtherMade: { creates: true } },
          blindIndexes: { words_digest: { attribute: 'words', purpose: 'tests' } },
        })
      expect(declare).to.throw(`tests/other: ${name} is the name of`)
    })

    it(`cannot be derived: ${name}`, () => {
      const declare = () =>
        foldOf(
          model('tests/other', {
            stream: 'tests/board',
            owner: 'board_id',
            attributes: { words: text({ personal: true }) },
            events: { OtherMade: { creates: true } },
            blindIndexes: { words_digest: { attribute: 'words', purpose: 'tests' } },
            derives: { version: 1, of: () => ({ [name]: 1 }) },
          }),
        )
      expect(declare).to.throw(`tests/other: ${name} is derived`)
    })
  }

  it('cannot be names of blind indexes', () => {
    const attributes = { words: text({ personal: true }) }
    const declare = (name: string) => () =>
      model('tests/other', { attributes, events: {}, blindIndexes: { [name]: { attribute: 'words', purpose: 'p' } } })
    for (const name of ['rev', 'personal', '_due_at', 'words']) expect(declare(name)).to.throw(`${name} is the name of`)
    expect(declare('words_digest')).not.to.throw()
  })

  it('begin with an underscore where they are no part of the record header, as no attribute does', () => {
    const declare = () => model('tests/other', { attributes: { _anything: text() }, events: {} })
    expect(declare).to.throw('tests/other: _anything is the name of a field of the engine')
  })

  it('cannot be attributes of a child that its events name it by', () => {
    const child = model('tests/child', {
      stream: 'tests/parent',
      attributes: { child_id: text() },
      events: { ChildMade: { creates: true } },
    })
    const declare = () =>
      model('tests/parent', { attributes: {}, events: {}, children: { all: { model: child, key: 'child_id' } } })
    expect(declare).to.throw('tests/parent: child_id is the name of the id of tests/child in events')
  })

  it('of a kind of records, such as jobs and processes, cannot be replaced by a declaration', () => {
    const status = text()
    expect(() => mergeAttributes('tests/job', { status }, { status })).to.throw('tests/job: status is the name of')
    expect(Object.keys(mergeAttributes('tests/job', { own: status }, { status }))).to.deep.equal(['own', 'status'])
  })
})
