import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect } from 'chai'
import type { Command } from 'commander'
import { isMaker } from '../../infra/cli/installation.ts'
import { createProgram } from '../../infra/cli/program.ts'
import { millrace } from '../support/millrace.ts'

/** Returns all commands that do something, each with its words. */
const commandsIn = ({ commands }: Command, before: readonly string[] = []): readonly (readonly [string[], Command])[] =>
  commands.flatMap((one) => {
    const words = [...before, one.name()]
    return one.commands.length > 0 ? commandsIn(one, words) : [[words, one] as const]
  })

/** Returns a command as somebody gives it in a folder: with all that it asks for, and nothing else. */
const asGiven = ([words, command]: readonly [string[], Command], data: string): readonly string[] => [
  ...words,
  ...command.registeredArguments.filter(({ required }) => required).map(() => '1'),
  ...command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long!, '1']),
  ...['--data', data],
]

describe('a command where there is no installation', () => {
  const all = commandsIn(createProgram())
  let folder: string
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'millrace-nowhere-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('makes one only if it says so', () => {
    const makers = all.filter(([, command]) => isMaker(command)).map(([words]) => words.join(' '))
    expect(makers.toSorted()).to.deep.equal(['events import', 'start', 'workspace create'])
  })

  for (const [words, command] of all.filter(([, one]) => !isMaker(one)))
    it(words.join(' '), async () => {
      const nowhere = path.join(folder, 'nowhere')
      const given = asGiven([words, command], nowhere)
      const error = await createProgram()
        .parseAsync(given, { from: 'user' })
        .then(
          () => undefined,
          (caught: Error) => caught.message,
        )
      expect(error).to.include(`there is no installation of Millrace in ${nowhere}`)
      expect(existsSync(nowhere)).to.equal(false)
    })

  it('leaves what was put there for one, and ends with status 1', async () => {
    const prepared = path.join(folder, 'prepared')
    mkdirSync(prepared)
    writeFileSync(path.join(prepared, 'secret'), 'a'.repeat(64))
    const { code, out, err } = await millrace(['failures', 'list', '--data', prepared])
    expect([code, out]).to.deep.equal([1, ''])
    expect(err).to.match(/^millrace: there is no installation of Millrace in .*prepared\. .*--data.*`millrace start`/)
    expect(readdirSync(prepared)).to.deep.equal(['secret'])
  })
})
