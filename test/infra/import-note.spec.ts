import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import { directoryImportNote } from '../../infra/data-directory/import-note.ts'
import { refuseUnfinished } from '../../infra/transfer/import-note.ts'
import { importNoteContract } from './import-note.contract.ts'

describe('the note of an unfinished import, in a data directory', () => {
  let directory: string
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'millrace-note-'))
  })
  after(() => rm(directory, { recursive: true, force: true }))

  importNoteContract(async () => directoryImportNote(directory))

  it('refuses the directory also when it is damaged', async () => {
    await writeFile(path.join(directory, 'import-unfinished.json'), '{"fi')
    const refusal = await refuseUnfinished(directoryImportNote(directory)).catch((error: Error) => error.message)
    expect(refusal).to.include('cannot be read')
  })
})
