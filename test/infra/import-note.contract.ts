import { expect } from 'chai'
import { type ImportNote, refuseUnfinished } from '../../infra/transfer/import-note.ts'

const NOTE = { file: 'all.ndjson', begun: '2026-05-01T00:00:00.000Z' }

/** The contract of every note of an unfinished import. @param open opens the same note each time */
export const importNoteContract = (open: () => Promise<ImportNote>) => {
  it('is there from its beginning until it is removed, and the stores are refused meanwhile', async () => {
    const note = await open()
    await refuseUnfinished(note)
    await note.write(NOTE)
    await note.write({ ...NOTE, failed: 'it broke off' })
    expect(await (await open()).read()).to.deep.equal({ ...NOTE, failed: 'it broke off' })
    const refusal = await refuseUnfinished(note).catch((error: Error) => error.message)
    expect(refusal).to.include('all.ndjson').and.include('it broke off')
    await note.write(NOTE)
    expect(await refuseUnfinished(note).catch((error: Error) => error.message)).to.include('was interrupted')
    await note.remove()
    await note.remove()
    await refuseUnfinished(await open())
  })
}
